"""Every fault of the list, played by a real server on this machine, ends as it should."""

from __future__ import annotations

import json
import pickle
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from email.utils import formatdate

import pytest

from dixitlib import parse
from dixitlib.models.base import Message, Schema, request_key
from dixitlib.models.faults import EndpointUnusable
from dixitlib.models.limits import Backoff
from dixitlib.models.loopback import Loopback, Served, completion
from dixitlib.models.openai_api import (
    Endpoint,
    OpenAIModel,
    PayloadTooLarge,
    UnpinnedProvider,
)
from dixitlib.models.pictures import Pictures
from dixitlib.records import Card, Reply

QUICK = Backoff(tries=3, base=0.01, cap=0.02, patience=5)
SCHEMA = Schema("choice", {"type": "object", "properties": {"choice": {"type": "string"}}})
QUESTION = (Message("user", ("Which one?",)),)
GOOD = '{"choice": "B"}'


@contextmanager
def serving(
    *script: Served | str, parameters: dict[str, object] | None = None, **settings: object
) -> Iterator[tuple[OpenAIModel, Loopback]]:
    """Serve a script, its last response again and again, to a model of quick patience."""
    left = list(script)
    with Loopback(lambda request: left.pop(0) if len(left) > 1 else left[0]) as server:
        endpoint = Endpoint(server.url, **{"timeout": 10, "backoff": QUICK, **settings})
        yield OpenAIModel("toy", endpoint, parameters or {}), server
        endpoint.close()


def refused(message: str, parameter: str | None = None, status: int = 400) -> Served:
    return Served({"error": {"message": message, "param": parameter}}, status)


BUSY = Served({"error": {"message": "slow down"}}, 429)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (BUSY, "429"),
        (Served(BUSY.body, 429, {"Retry-After": "0.1"}), "429"),
        (Served({"error": "broken"}, 500), "500"),
        (Served("<html><h1>Bad gateway</h1></html>", 502), "502"),
        (Served({"error": {"message": "overloaded"}}, 529), "529"),
        (Served(completion(GOOD), delay=1.0), "timeout"),
        (Served(completion(GOOD), drip=0.02), "timeout"),
        (Served(completion(GOOD), drip=0.02, drip_head=True), "timeout"),
        (Served({"error": {"message": "broken, " * 20}}, 500, drip=0.02), "timeout"),
        (Served(completion(GOOD), reset_after=40), "connection"),
        (Served(completion(GOOD), reset_after=0), "connection"),
        (Served({"error": {"code": 502, "message": "upstream failed"}}), "error body"),
        (Served({"error": "no words for it"}), "error body"),
        (Served({"choices": [{"error": {"code": 503, "message": "gone"}}]}), "error body"),
        (Served({"choices": []}), "no choices"),
        (Served({"id": "nothing else"}), "no choices"),
        (Served("<html>all is well</html>"), "not JSON"),
        (Served("[]"), "not JSON"),
    ],
)
def test_a_fault_that_passes_is_tried_again_and_counted(fault: Served, kind: str) -> None:
    timeout = 0.7 if kind == "timeout" else 10  # on a busy machine a good answer takes a while
    with serving(fault, GOOD, timeout=timeout) as (model, server):
        reply = model.ask(QUESTION)
    assert (reply.text, reply.status, reply.faults) == (GOOD, "ok", (kind,))
    assert len(server.requests) == 2


def test_a_fault_that_stays_ends_as_an_error_after_the_last_try() -> None:
    with serving(BUSY) as (model, server):
        reply = model.ask(QUESTION)
    assert (reply.text, reply.status) == (None, "error")
    assert reply.faults == ("429",) * QUICK.tries
    assert reply.problem == "slow down"
    assert len(server.requests) == QUICK.tries  # one layer of retries: the client adds none


@pytest.mark.parametrize("form", ["seconds", "milliseconds", "date"])
def test_retry_after_is_honoured(form: str) -> None:
    now = time.time()
    headers = {
        "seconds": {"Retry-After": "0.3"},
        "milliseconds": {"Retry-After-Ms": "300"},
        "date": {"Retry-After": formatdate(now + 1, usegmt=True)},  # whole seconds: 0 to 1 s
    }[form]
    waits = 0.3 if form != "date" else max(0.0, int(now + 1) - now - 0.05)
    with serving(Served({}, 429, headers), GOOD) as (model, _):
        assert model.ask(QUESTION).status == "ok"
    assert time.time() - now >= waits


def test_a_server_that_asks_for_more_patience_than_there_is_fails_the_call_at_once() -> None:
    with serving(Served({}, 429, {"Retry-After": "3600"})) as (model, server):
        reply = model.ask(QUESTION)
    assert reply.status == "error"
    assert "3600 s" in reply.problem
    assert len(server.requests) == 1


def test_nobody_there_is_an_error_too() -> None:
    with Loopback(lambda request: GOOD) as server:
        pass  # from here on its port is closed
    model = OpenAIModel("toy", Endpoint(server.url, backoff=QUICK))
    assert model.ask(QUESTION).faults == ("connection",) * QUICK.tries
    model.endpoint.close()


@pytest.mark.parametrize(
    ("served", "status", "choice", "verdict"),
    [
        # content null (mellea#1060) keeps usage and finish reason
        (completion(None, "length"), "empty", None, "empty"),
        (completion("  "), "empty", None, "empty"),
        (completion('{"choice": "B', "length"), "truncated", None, "truncated"),
        (completion(GOOD + " and so", "length"), "truncated", "B", "ok"),
        (completion(f"```json\n{GOOD}\n```"), "ok", "B", "ok"),
        (completion('{"choice": "A"}\n' + GOOD), "ok", "B", "ok"),
        (completion(f"Well: {GOOD} That is it."), "ok", "B", "ok"),
        (completion('{"choice": "b"}'), "ok", "B", "ok"),
        (completion('{"choice": 7}'), "ok", None, "unparsed"),
        # an ignored schema is caught on this side (vllm#53975, ollama#15260)
        (completion('{"animal": "owl"}'), "ok", None, "unparsed"),
        (completion("I like owls."), "ok", None, "unparsed"),
        (completion("I'm sorry, I can't help with that."), "ok", None, "refused"),
        (completion(None, "content_filter"), "refused", None, "refused"),
        (completion([{"type": "text", "text": GOOD}]), "ok", "B", "ok"),
    ],
)
def test_what_a_reply_is_taken_for(
    served: dict[str, object], status: str, choice: str | None, verdict: str
) -> None:
    with serving(Served(served)) as (model, _):
        reply = model.ask(QUESTION, SCHEMA)
    read = parse.choice(reply.text, "AB", finish=reply.finish)
    assert (reply.status, reply.tokens_in, reply.tokens_out) == (status, 100, 10)
    assert reply.finish == served["choices"][0]["finish_reason"]
    assert read.choice == choice
    assert (reply.status if reply.status in ("empty", "refused") else read.status) == verdict


def test_a_marked_refusal_is_a_refusal_and_its_words_are_kept() -> None:
    body = completion(None)
    body["choices"][0]["message"]["refusal"] = "I'd rather not."
    with serving(Served(body)) as (model, _):
        reply = model.ask(QUESTION)
    assert (reply.status, reply.text) == ("refused", "I'd rather not.")


def test_a_content_filter_is_a_refusal_and_not_tried_again() -> None:
    body = {"error": {"code": "content_filter", "message": "flagged by moderation"}}
    with serving(Served(body, 403)) as (model, server):
        assert model.ask(QUESTION).status == "refused"
    assert len(server.requests) == 1


def test_what_an_endpoint_leaves_out_stays_unknown() -> None:
    body = {"choices": [{"message": {"content": GOOD}}]}
    with serving(Served(body), parameters={"logprobs": True}) as (model, _):
        assert model.ask(QUESTION) == Reply(GOOD)


def test_half_a_surrogate_pair_can_be_stored() -> None:
    with serving(Served('{"choices": [{"message": {"content": "\\ud83d"}}]}')) as (model, _):
        assert model.ask(QUESTION).text == "\\ud83d"


@pytest.mark.parametrize(
    ("status", "body", "mend"),
    [
        (401, {"error": {"message": "wrong key sk-secret"}}, "wrong key"),
        (402, {"error": {"message": "no credits left"}}, "credits"),
        (404, {"error": {"message": "no such model"}}, "no such model"),
        (429, {"error": {"code": "insufficient_quota", "message": "pay first"}}, "pay first"),
        (200, {"error": {"code": 401, "message": "wrong key"}}, "wrong key"),
    ],
)
def test_what_no_retry_mends_stops_the_run_and_says_why(
    status: int, body: dict[str, object], mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_KEY", "sk-secret")
    with (
        serving(Served(body, status), key_env="TOY_KEY") as (model, server),
        pytest.raises(EndpointUnusable, match=mend) as caught,
    ):
        model.ask(QUESTION)
    assert len(server.requests) == 1
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("parameters", "complaint", "adapted"),
    [
        (
            {"max_tokens": 50},
            refused(
                "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'", "max_tokens"
            ),
            {"max_tokens": "max_completion_tokens"},
        ),
        (
            {"temperature": 0.7},
            refused("'temperature' supports only the default (1) value", "temperature"),
            {"temperature": "dropped"},
        ),
        (
            {"seed": 1},
            refused("Extra inputs are not permitted: seed", None, 422),
            {"seed": "dropped"},
        ),
        (
            {"logprobs": True, "top_logprobs": 5},
            refused("logprobs is not available for this model"),
            {"logprobs": "dropped", "top_logprobs": "dropped"},
        ),
    ],
)
def test_a_rejected_parameter_is_adapted_once_and_recorded(
    parameters: dict[str, object], complaint: Served, adapted: dict[str, str]
) -> None:
    with serving(complaint, GOOD, parameters=parameters) as (model, server):
        before = model.identity
        assert model.ask(QUESTION).faults == ()
        assert model.ask(QUESTION).status == "ok"
        assert model.adapted == adapted
        assert model.identity == before  # keys hold parameters as requested
    first, second, third = server.requests
    assert parameters.items() <= first.items()
    assert not set(parameters) & (set(second) | set(third))
    if "max_tokens" in parameters:
        assert second["max_completion_tokens"] == third["max_completion_tokens"] == 50


def test_structured_output_falls_back_to_json_mode_and_then_to_text() -> None:
    no_schema = refused("response_format json_schema is not supported")
    no_json = refused("'response_format' of type 'json_object' is unknown")
    with serving(no_schema, no_json, GOOD) as (model, server):
        assert model.ask(QUESTION, SCHEMA).text == GOOD
        assert model.adapted == {"response_format": "dropped"}
    forms = [request.get("response_format") for request in server.requests]
    assert [form and form["type"] for form in forms] == ["json_schema", "json_object", None]
    assert forms[0]["json_schema"] == {"name": "choice", "strict": True, "schema": SCHEMA.body}


def test_a_router_that_finds_nobody_for_the_parameters_is_asked_for_less() -> None:
    nobody = "No endpoints found that can handle the requested parameters."
    with serving(refused(nobody, status=404), GOOD) as (model, _):
        assert model.ask(QUESTION, SCHEMA).text == GOOD
        assert model.adapted == {"response_format": "json_object"}


def test_several_parameters_are_adapted_one_after_the_other() -> None:
    script = (
        refused("unknown parameter seed"),
        refused("max_tokens is not supported", "max_tokens"),
        refused("max_completion_tokens is not supported", "max_completion_tokens"),
        GOOD,
    )
    with serving(*script, parameters={"seed": 1, "max_tokens": 9, "top_p": 1}) as (model, server):
        assert model.ask(QUESTION).status == "ok"
        assert model.adapted == {"seed": "dropped", "max_tokens": "dropped"}
    assert server.requests[-1]["top_p"] == 1


@pytest.mark.parametrize("message", ["max_tokens is too large: at most 4096", "what a bad request"])
def test_a_rejection_that_blames_no_parameter_fails_the_call(message: str) -> None:
    with serving(refused(message), parameters={"max_tokens": 9}) as (model, server):
        reply = model.ask(QUESTION)
        assert (reply.status, reply.problem, model.adapted) == ("error", message, {})
    assert len(server.requests) == 1


def test_calls_in_flight_take_one_step_together() -> None:
    both = threading.Barrier(2)

    def answer(request: dict[str, object]) -> Served | str:
        return refused("unknown parameter: seed") if "seed" in request else GOOD

    with Loopback(answer) as server:
        endpoint = Endpoint(server.url, backoff=QUICK)
        model = OpenAIModel("toy", endpoint, {"seed": 1})

        def ask(_: int) -> str:
            both.wait()
            return model.ask(QUESTION).status

        with ThreadPoolExecutor(2) as pool:
            assert list(pool.map(ask, range(2))) == ["ok", "ok"]
        assert model.adapted == {"seed": "dropped"}
        endpoint.close()


def test_logprobs_are_kept_with_the_mass_that_they_cover() -> None:
    # exp(-0.1) + exp(-3) = 0.904837 + 0.049787 = 0.954624
    content = [
        {"token": "{", "logprob": 0.0, "top_logprobs": []},
        {
            "token": "B",
            "logprob": -0.1,
            "top_logprobs": [
                {"token": "B", "logprob": -0.1},
                {"token": "A", "logprob": -3.0},
                {"token": "C", "logprob": -9999.0},
            ],
        },
    ]
    body = completion(GOOD)
    body["choices"][0]["logprobs"] = {"content": content}
    with serving(Served(body)) as (model, _):
        tokens = model.ask(QUESTION).tokens
    assert [token.text for token in tokens] == ["{", "B"]
    assert tokens[1].alternatives == (("B", -0.1), ("A", -3.0))
    assert tokens[1].coverage == pytest.approx(0.954624, abs=1e-6)


def test_who_served_and_what_it_cost_are_recorded() -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "cost": 0.00042}
    body = completion(GOOD, provider="Far Away", model="toy-2026", usage=usage)
    with serving(Served(body)) as (model, _):
        reply = model.ask(QUESTION)
    assert (reply.served_by, reply.served_model, reply.cost) == ("Far Away", "toy-2026", 0.00042)


ROUTED = {"order": ["one"], "allow_fallbacks": False, "require_parameters": True}


@pytest.mark.parametrize("provider", [None, {}, {"order": ["one"]}, {"order": ["one", "two"]}])
def test_an_unpinned_provider_is_warned_of(provider: dict[str, object] | None) -> None:
    endpoint = Endpoint("https://openrouter.ai/api/v1", "NO_SUCH_KEY")
    with pytest.warns(UnpinnedProvider, match="allow_fallbacks"):
        OpenAIModel("toy", endpoint, {"provider": provider} if provider is not None else {})


def test_a_pinned_provider_is_sent_and_is_part_of_the_key() -> None:
    OpenAIModel("toy", Endpoint("https://openrouter.ai/api/v1"), {"provider": ROUTED})  # no warning
    with serving(GOOD, parameters={"provider": ROUTED}) as (model, server):
        model.ask(QUESTION)
        other = OpenAIModel("toy", model.endpoint)
        assert request_key(model.identity, QUESTION) != request_key(other.identity, QUESTION)
    assert server.requests[0]["provider"] == ROUTED


def test_the_key_comes_from_the_environment_when_first_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with serving(GOOD, key_env="TOY_KEY") as (model, server):
        monkeypatch.delenv("TOY_KEY", raising=False)
        with pytest.raises(EndpointUnusable, match="set the environment variable TOY_KEY"):
            model.ask(QUESTION)
        monkeypatch.setenv("TOY_KEY", "sk-secret")
        model.ask(QUESTION)
        assert server.headers["authorization"] == "Bearer sk-secret"
        for written in (repr(model), json.dumps(model.identity), str(vars(model.endpoint))):
            assert "sk-secret" not in written


def test_the_address_tells_no_secret() -> None:
    endpoint = Endpoint("https://me:pass@example.org/v1/?key=secret#here")
    assert endpoint.address == "https://example.org/v1"


def test_a_payload_over_the_limit_is_refused_before_the_call(toy_deck: Sequence[Card]) -> None:
    shown = (Message("user", ("Which?", *toy_deck[:6])),)
    with serving(GOOD, max_bytes=500) as (model, server):
        with pytest.raises(PayloadTooLarge, match="longest side") as caught:
            model.ask(shown)
        assert server.requests == []
    assert "more than the 500" in str(caught.value)


def test_words_and_cards_are_sent_in_the_order_shown(toy_deck: Sequence[Card]) -> None:
    shown = (Message("system", ("Be kind.",)), Message("user", ("Card A:", toy_deck[0], "Go.")))
    with serving(GOOD) as (model, server):
        model.ask(shown)
        url = model.pictures.encode(toy_deck[0]).url
    assert server.requests[0]["messages"] == [
        {"role": "system", "content": "Be kind."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Card A:"},
                {"type": "image_url", "image_url": {"url": url}},
                {"type": "text", "text": "Go."},
            ],
        },
    ]


def test_no_more_calls_at_a_time_than_allowed() -> None:
    flying, most = [0], [0]
    lock = threading.Lock()

    class Counting(Loopback):
        def serve(self, request: dict[str, object], headers: dict[str, str]) -> Served:
            with lock:
                flying[0] += 1
                most[0] = max(most[0], flying[0])
            time.sleep(0.02)
            with lock:
                flying[0] -= 1
            return Served(completion(GOOD))

    with Counting(lambda request: GOOD) as server:
        endpoint = Endpoint(server.url, concurrency=3)
        model = OpenAIModel("toy", endpoint)
        with ThreadPoolExecutor(12) as pool:
            list(pool.map(lambda _: model.ask(QUESTION), range(24)))
        endpoint.close()
    assert most[0] == 3


@pytest.mark.parametrize(
    ("allowed", "tokens"), [({"requests_per_minute": 60}, 0), ({"tokens_per_minute": 600}, 10)]
)
def test_processes_take_their_part_of_what_is_allowed(
    allowed: dict[str, float], tokens: float
) -> None:
    class Waits(Exception):
        pass

    def wait(seconds: float) -> None:
        raise Waits

    limits = Endpoint("http://127.0.0.1:1/v1", concurrency=8, among=2, **allowed).limits
    limits.sleep = wait
    for _ in range(30):  # half of sixty a minute, and half of sixty times ten tokens
        with limits.slot(tokens):
            pass
    with pytest.raises(Waits), limits.slot(tokens):
        pass


def test_a_model_travels_to_another_process() -> None:
    endpoint = Endpoint("http://127.0.0.1:9/v1", requests_per_minute=5, backoff=QUICK)
    model = OpenAIModel("toy", endpoint, {"seed": 1}, Pictures(96, "png"), {"seed": "dropped"})
    copy = pickle.loads(pickle.dumps(model))
    assert (copy.identity, copy.adapted, copy.endpoint) == (
        model.identity,
        model.adapted,
        model.endpoint,
    )


def test_a_model_can_be_asked_inside_a_running_event_loop() -> None:
    # jupyter/notebook#4312: a notebook's kernel runs a loop; nothing here may need its own
    import asyncio

    async def cell(ask: Callable[[], Reply]) -> Reply:
        return ask()

    with serving(GOOD) as (model, _):
        assert asyncio.run(cell(lambda: model.ask(QUESTION))).status == "ok"
