"""A verdict as one line of plain data, so that two versions of the referee can be held against each other."""

from __future__ import annotations

import json
from typing import Any

from referee.verdict import Accepted, CantSee, Question, Refused, Verdict, Waiting
from rules.text import Language


def verdict_line(at: str, verdict: Verdict) -> str:
    """Write one JSON object: where in the soak it was given, and all that players are shown, in both languages."""
    return json.dumps({"at": at, **_as_json(verdict)}, ensure_ascii=False)


def _as_json(verdict: Verdict) -> dict[str, Any]:
    words = {"text": str(verdict.text), "text_ja": verdict.text.said(Language.JA)}
    match verdict:
        case Accepted():
            return {"verdict": "accepted", "move": verdict.move and verdict.move.to_json(), **words}
        case Refused():
            codes = {"code": verdict.refusal.code, "also": list(verdict.refusal.also)}
            steps = [
                {"text": str(step.text), "text_ja": step.text.said(Language.JA), "count": step.count}
                for step in verdict.mend
            ]
            return {"verdict": "refused", **codes, **words, "mend": steps}
        case Question():
            answers = [
                {"answer": str(one.text), "answer_ja": one.text.said(Language.JA), **_as_json(one.verdict)}
                for one in verdict.choices
            ]
            return {"verdict": "question", **words, "choices": answers}
        case Waiting():
            return {"verdict": "waiting", **words}
        case CantSee():
            spots = [{"place": spot.place, "cause": spot.cause} for spot in verdict.spots]
            return {"verdict": "cannot_see", **words, "spots": spots}
