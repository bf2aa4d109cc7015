from dixitlib import seeds


def test_one_off_places_differ_by_key_and_repeat_by_key():
    keys = [("deal", 0), ("deal", 1), ("item", 0), (0, 1), (1, 0), ("deal", 0, 0)]
    drawn = [seeds.place(42, *key).integers(2**63) for key in keys]
    assert len(set(drawn)) == len(keys)
    assert seeds.place(42, "deal", 1).integers(2**63) == drawn[1]
