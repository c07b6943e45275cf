"""Train the detector: a heat map of card corners with their angle and kind."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as nnf
from torch.optim.lr_scheduler import LambdaLR
from torch.optim.swa_utils import AveragedModel, update_bn

from models.train.data import CACHE, DETECTOR_PX_PER_MM, add_veil, shake
from models.train.nets import Detector, bf16_is_fast, take_up

STRIDE = 4
_SURE, _NEVER = 0.5, 0.25
"""From the first share of its index that shows on a corner is asked for, up to the second there is none to be found."""
_VEILED = 0.35
"""This share of the patches lies behind a veil of light."""
_WARM_UP, _LEAST_RATE = 0.1, 0.25
"""The learning rate climbs for so much of the training, then falls as a cosine does, to this share of the highest."""
_FROM, _EVERY = 0.7, 10
"""The weights are averaged from here on, while the rate stays low, over every tenth step."""
_BATCHES_TO_NORMALISE = 60


def make_targets(
    where: NDArray[np.float32], what: NDArray[np.int32], n: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Make target maps (8, n, n) and the weight map (2, n, n: heat, regression) of one patch.

    A corner of whose index little shows is neither asked for nor punished.
    """
    t = np.zeros((8, n, n), np.float32)
    w = np.zeros((2, n, n), np.float32)
    w[0] = 1
    yy, xx = np.mgrid[:n, :n].astype(np.float32)
    best = np.full((n, n), 9.0, np.float32)
    for (x, y, angle, corner_shown, crop_shown), (kind, _) in zip(where, what, strict=True):
        cx, cy = x * DETECTOR_PX_PER_MM / STRIDE - 0.5, y * DETECTOR_PX_PER_MM / STRIDE - 0.5
        if not (-1 < cx < n and -1 < cy < n):
            continue
        d2 = (xx - cx) ** 2 + (yy - cy) ** 2
        score = min(corner_shown, max(crop_shown, corner_shown * 0.9)) if kind == 1 else corner_shown
        if score < _SURE:
            if score > _NEVER:
                w[0][d2 < 3.0] = 0
            continue
        heat = np.exp(-d2 / (2 * 0.95**2))
        t[0] = np.maximum(t[0], heat)
        near = (d2 < 2.6) & (d2 < best)
        best[near] = d2[near]
        t[1][near], t[2][near] = (cx - xx)[near], (cy - yy)[near]
        t[3][near], t[4][near] = math.cos(angle), math.sin(angle)
        t[5][near] = kind
        w[1][near] = 1
        peak = (min(max(round(float(cy)), 0), n - 1), min(max(round(float(cx)), 0), n - 1))
        t[0][peak] = 1.0
        w[0][peak] = 1
    return t, w


def loss_of(out: Tensor, t: Tensor, w: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Compute CornerNet's focal loss on the heat, L1 on offset and angle, cross entropy on the kind."""
    p = torch.sigmoid(out[:, 0]).clamp(1e-4, 1 - 1e-4)
    pos = (t[:, 0] >= 0.999).float() * w[:, 0]
    neg = (1 - pos) * w[:, 0] * (1 - t[:, 0]).clamp(0) ** 4
    count = pos.sum().clamp(1)
    heat = -(pos * (1 - p) ** 2 * p.log() + neg * p**2 * (1 - p).log()).sum() / count
    m = w[:, 1]
    each = m.sum().clamp(1)
    offset = ((out[:, 1:3] - t[:, 1:3]).abs().sum(1) * m).sum() / each
    turn = ((out[:, 3:5] - t[:, 3:5]).abs().sum(1) * m).sum() / each
    kind = (nnf.cross_entropy(out[:, 5:8], t[:, 5].long(), reduction="none") * m).sum() / each
    total = heat + 0.7 * offset + 2.0 * turn + 0.5 * kind
    return total, {"heat": heat.item(), "offset": offset.item(), "turn": turn.item(), "kind": kind.item()}


class _Patches:
    def __init__(self, paths: list[Path]) -> None:
        self.images, self.where, self.what = [], [], []
        for path in paths:
            with np.load(path) as z:
                where, what = z["where"], z["what"]
                for k, image in enumerate(z["images"]):
                    mine = where[:, 0] == k
                    self.images.append(image)
                    self.where.append(where[mine, 1:])
                    self.what.append(what[mine])

    def batch(self, picks: NDArray[np.int64], rng: np.random.Generator | None) -> tuple[Tensor, Tensor, Tensor]:
        xs, ts, ws = [], [], []
        for k in picks:
            img, where = self.images[k], self.where[k].copy()
            size = img.shape[0] / DETECTOR_PX_PER_MM
            if rng is not None:
                for _ in range(int(rng.integers(4))):  # quarter turns lose nothing
                    img = np.rot90(img)
                    where[:, 0], where[:, 1] = where[:, 1].copy(), size - where[:, 0]
                    where[:, 2] -= math.pi / 2
                img = shake(img.astype(np.float32) * np.exp(rng.normal(0, 0.08, 3)).astype(np.float32), rng)
                if rng.random() < _VEILED:
                    img = add_veil(img, rng, rng.uniform(0.2, 0.85))
            t, w = make_targets(where, self.what[k], img.shape[0] // STRIDE)
            xs.append(np.ascontiguousarray(np.asarray(img, np.float32).transpose(2, 0, 1)))
            ts.append(t)
            ws.append(w)
        return torch.from_numpy(np.stack(xs)), torch.from_numpy(np.stack(ts)), torch.from_numpy(np.stack(ws))


def evaluate(net: Detector, data: _Patches, threshold: float = 0.35) -> dict[str, float]:
    """Recall of sure corners, false corners per true corner, median errors in mm and degrees, on held-out decks."""
    net.eval()
    found = asked = false = 0
    errors, turns = [], []
    with torch.no_grad():
        for k in range(len(data.images)):
            x, _, _ = data.batch(np.array([k]), None)
            out = net(x)[0]
            heat = torch.sigmoid(out[0])
            peak = (heat == nnf.max_pool2d(heat[None, None], 3, 1, 1)[0, 0]) & (heat > threshold)
            ys, xs = torch.nonzero(peak, as_tuple=True)
            px = (xs + 0.5 + out[1, ys, xs]).numpy() * STRIDE / DETECTOR_PX_PER_MM
            py = (ys + 0.5 + out[2, ys, xs]).numpy() * STRIDE / DETECTOR_PX_PER_MM
            pa = torch.atan2(out[4, ys, xs], out[3, ys, xs]).numpy()
            truth = data.where[k]
            kind = data.what[k][:, 0] if len(truth) else np.zeros(0)
            size = data.images[k].shape[0] / DETECTOR_PX_PER_MM
            inside = [
                r
                for r in range(len(truth))
                if truth[r, 3] >= 0.8
                and (kind[r] != 1 or truth[r, 4] > 0.7)
                and 8 < truth[r, 0] < size - 8
                and 8 < truth[r, 1] < size - 8
            ]
            asked += len(inside)
            for r in inside:
                if len(px):
                    d = np.hypot(px - truth[r, 0], py - truth[r, 1])
                    j = int(d.argmin())
                    da = abs((pa[j] - truth[r, 2] + math.pi) % (2 * math.pi) - math.pi)
                    if d[j] < 6 and da < 0.35:
                        found += 1
                        errors.append(d[j])
                        turns.append(math.degrees(da))
            for j in range(len(px)):
                if not len(truth) or np.hypot(truth[:, 0] - px[j], truth[:, 1] - py[j]).min() > 8:
                    false += 1
    net.train()
    return {
        "recall": found / max(1, asked),
        "false": false / max(1, asked),
        "mm": float(np.median(errors)) if errors else 99.0,
        "mm95": float(np.percentile(errors, 95)) if errors else 99.0,
        "deg": float(np.median(turns)) if turns else 99.0,
        "deg95": float(np.percentile(turns, 95)) if turns else 99.0,
    }


def rate_at(step: int, steps: int) -> float:
    """Return the learning rate of a step as a share of the highest."""
    done = step / steps
    if done < _WARM_UP:
        return 0.04 + 0.96 * done / _WARM_UP
    return max(_LEAST_RATE, (1 + math.cos(math.pi * (done - _WARM_UP) / (1 - _WARM_UP))) / 2)


def train(
    paths: list[Path],
    held_out: list[Path],
    steps: int,
    batch: int = 8,
    threads: int = 2,
    seed: int = 0,
    lr: float = 2e-3,
    published: Path | None = None,
) -> Detector:
    """Train for that many steps, resuming from the last checkpoint; one JSON line of progress every 50 steps.

    What comes back is the mean of the weights of the last steps: single steps err on decks never seen each in its own
    way (Izmailov et al., "Averaging weights leads to wider optima and better generalization", 2018).

    ``published`` is the ONNX file of a detector to go on from.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    net = Detector().to(memory_format=torch.channels_last)
    opt = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-3)
    plan = LambdaLR(opt, lambda step: rate_at(step, steps))
    mean = AveragedModel(net)
    checkpoint = CACHE / "detector.pt"
    start = 0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        for each in (net, opt, plan, mean):
            each.load_state_dict(state[type(each).__name__])
        start = plan.last_epoch
    data, check = _Patches(paths), _Patches(held_out)
    check.images, check.where, check.what = check.images[::4], check.where[::4], check.what[::4]
    if published is not None and start == 0:
        picks = np.random.default_rng([seed, 11]).integers(0, len(data.images), 32)
        take_up(net, published, data.batch(picks, None)[0])
        print(json.dumps({"detector": 0, "held_out": {k: round(v, 4) for k, v in evaluate(net, check).items()}}))
    tick = time.monotonic()
    for step in range(start, steps):
        rng = np.random.default_rng([seed, step])
        x, t, w = data.batch(rng.integers(0, len(data.images), batch), rng)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16_is_fast()):
            out = net(x.contiguous(memory_format=torch.channels_last))
        loss, parts = loss_of(out.float(), t, w)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        plan.step()
        if step >= _FROM * steps and (steps - 1 - step) % _EVERY == 0:
            mean.update_parameters(net)
        if (step + 1) % 50 == 0:
            print(
                json.dumps(
                    {
                        "detector": step + 1,
                        "of": steps,
                        "s": round(time.monotonic() - tick, 1),
                        **{k: round(v, 4) for k, v in parts.items()},
                    }
                ),
                flush=True,
            )
        if (step + 1) % 400 == 0 or step + 1 == steps:
            torch.save({type(each).__name__: each.state_dict() for each in (net, opt, plan, mean)}, checkpoint)
            print(
                json.dumps(
                    {"detector": step + 1, "held_out": {k: round(v, 4) for k, v in evaluate(net, check).items()}}
                ),
                flush=True,
            )

    def pictures() -> Iterator[Tensor]:
        for k in range(_BATCHES_TO_NORMALISE):
            rng = np.random.default_rng([seed, 12, k])
            x = data.batch(rng.integers(0, len(data.images), batch), rng)[0]
            yield x.contiguous(memory_format=torch.channels_last)

    averaged: Detector = mean.module
    mean.train()
    update_bn(pictures(), mean)
    print(json.dumps({"detector": "mean", "held_out": {k: round(v, 4) for k, v in evaluate(averaged, check).items()}}))
    return averaged


def export(net: Detector, path: Path) -> None:
    """Write the ONNX file, with any number of pictures and any height and width that 16 divides."""
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(1, 3, 128, 160),),
        str(path),
        input_names=["picture"],
        output_names=["ends"],
        dynamic_axes={"picture": {0: "n", 2: "h", 3: "w"}, "ends": {0: "n", 2: "h4", 3: "w4"}},
        dynamo=False,
        opset_version=17,
    )
