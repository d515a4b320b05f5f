"""MiniStack 1.5.33 writes no stream records for what PartiQL changes; AWS does. This gives it that."""

import copy

from ministack.services import dynamodb


def key_of(table, parsed):
    if parsed["op"] == "INSERT":
        item = parsed["item"].get("M", parsed["item"])
        return item[table["pk_name"]]["S"], "__no_sort__"
    key, sort_key, _, _ = dynamodb._partiql_key_target(table, parsed)
    return key, sort_key


def with_stream(write):
    def written(table, parsed, *rest):
        key, sort_key = key_of(table, parsed)
        before = copy.deepcopy(table["items"].get(key, {}).get(sort_key))
        answer = write(table, parsed, *rest)
        after = table["items"].get(key, {}).get(sort_key)
        if before != after:
            event = "INSERT" if before is None else "REMOVE" if after is None else "MODIFY"
            dynamodb._emit_stream_event(parsed["table"], event, before, copy.deepcopy(after))
        return answer

    return written


def install():
    for name in ("_partiql_insert", "_partiql_update", "_partiql_delete"):
        setattr(dynamodb, name, with_stream(getattr(dynamodb, name)))
