"""Turns what pytest-benchmark measured into a small table with the machine beside it."""

from __future__ import annotations

import csv
import json

from dixitlib.paths import REPOSITORY

FOLDER = REPOSITORY / "data/bench_times"
EXTRA = {
    "cpu_ms_per_call": ".2f",
    "kilobytes": ".0f",
    "critical_path_s": ".1f",
    "peak_mb": ".0f",
    "part": ".4f",
    "of_matrix_product": ".2f",
    "cpu_s": ".2f",
    "ms_per_task": ".2f",
}
MACHINE = ("python_version", "system", "machine")


def pytest_benchmark_update_json(config, benchmarks, output_json):
    rows = {b["name"].removeprefix("test_"): _row(b) for b in output_json["benchmarks"]}
    if config.option.keyword or "reference" not in rows:
        return  # a part was measured, for a look; the table is of a whole run
    reference = float(rows["reference"]["median_s"])
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "speed.csv").open("w", encoding="utf-8", newline="") as file:
        columns = ["what", "median_s", "references", "rounds_per_s", "repeats", *EXTRA]
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for name, row in rows.items():
            ratio = f"{float(row['median_s']) / reference:.2f}"
            writer.writerow({"what": name, **row, "references": ratio})
    info = output_json["machine_info"]
    machine = {name: info[name] for name in MACHINE} | {
        "processor": info["cpu"].get("brand_raw", "unknown"),
        "cores": info["cpu"]["count"],
    }
    (FOLDER / "machine.json").write_text(json.dumps(machine, indent=2) + "\n")


def _row(benchmark):
    median = benchmark["stats"]["median"]
    told = benchmark["extra_info"]
    rounds = told.get("rounds")
    return {
        "median_s": f"{median:.6f}",
        "rounds_per_s": f"{rounds / median:.0f}" if rounds else "",
        "repeats": benchmark["stats"]["rounds"],
        **{name: f"{told[name]:{form}}" for name, form in EXTRA.items() if name in told},
    }
