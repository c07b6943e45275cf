"""Train the matcher: crops held against enrolled ones, of their own face and of those that they are taken for."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as nnf

from models.train.data import CACHE
from models.train.matching.net import Matcher, Trunk
from models.train.matching.samples import RIVALS, Bytes, PairShard, draw_samples
from models.train.nets import bf16_is_fast

Batch = tuple[Tensor, Tensor, Tensor, Tensor, Tensor, Tensor]
_POSE_SCALE = torch.tensor([2.5, 2.5, 1.6])


def open_session(embedder: Path) -> ort.InferenceSession:
    """Open the embedder's int8 file, to run."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = 2
    return ort.InferenceSession(str(embedder), options)


def embed_crops(session: ort.InferenceSession, crops: Bytes) -> NDArray[np.float32]:
    """Embed crops (n, 56, 160, 3) as vectors (n, 128)."""
    each = [session.run(["embedding"], {"strips": crops[k : k + 32]})[0] for k in range(0, len(crops), 32)]
    return np.concatenate(each)


def batch_of(decks: list[PairShard], groups: int, rng: np.random.Generator) -> Batch:
    """Batch crops, how they lie and are thought to lie, pages, what is held against what, and whether it is one."""
    some = [draw_samples(decks, rng) for _ in range(groups)]
    first = np.cumsum([0, *(len(each.pages) for each in some[:-1])])
    poses = np.concatenate([each.poses for each in some])
    off = rng.normal(0, 1, poses.shape) * (0.7, 0.7, 0.5)
    believed = np.where(rng.random((len(poses), 1)) < 0.65, poses + off, 0.0)
    which = np.concatenate([each.which + at for each, at in zip(some, first, strict=True)])
    return (
        _as_channels_first(np.concatenate([each.seen for each in some])),
        torch.from_numpy(poses),
        torch.from_numpy(believed.astype(np.float32)),
        _as_channels_first(np.concatenate([each.pages for each in some])),
        torch.from_numpy(which),
        torch.from_numpy(np.concatenate([each.same for each in some])),
    )


def _as_channels_first(pictures: NDArray[np.float32]) -> Tensor:
    return torch.from_numpy(np.ascontiguousarray(pictures, np.float32)).permute(0, 3, 1, 2)


def predict(net: Matcher, trunk: Trunk, batch: Batch) -> tuple[Tensor, Tensor]:
    """Predict the log odds (n, 4), and how far poses are off (n, 3)."""
    seen, poses, believed, pages, which, _ = batch
    count = len(seen)
    features = trunk(torch.cat([seen[:, :3], pages]).contiguous(memory_format=torch.channels_last))
    covered = nnf.avg_pool2d(seen[:, 3:] / 255.0, 4)
    odds, beyond, _ = net(features[:count], features[count:][which.flatten()], covered, believed, RIVALS)
    return odds.float().reshape(-1, RIVALS), beyond.float() - (poses - believed)


def loss_of(net: Matcher, trunk: Trunk, batch: Batch) -> Tensor:
    """Measure how wrong the odds are, own faces and others weighing the same, and how far off the own faces' poses."""
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16_is_fast()):
        odds, off = predict(net, trunk, batch)
    same = batch[5]
    each = nnf.binary_cross_entropy_with_logits(odds, same, reduction="none")
    weight = torch.where(same > 0, 2.0, 1.0)
    poses = nnf.smooth_l1_loss(off / _POSE_SCALE, torch.zeros_like(off), reduction="none").sum(1)
    own = same[:, 0]
    return (each * weight).sum() / weight.sum() + 0.3 * (poses * own).sum() / own.sum().clamp(min=1)


def train(
    paths: list[Path],
    held_out: list[Path],
    steps: int,
    embedder: Path,
    each: int = 8,
    rate: float = 3e-3,
    hands: int = 2,
) -> tuple[Matcher, Trunk]:
    """Train for that many steps, resuming from the last checkpoint; JSON lines of progress."""
    torch.manual_seed(0)
    torch.set_num_threads(2)
    session, trunk = open_session(embedder), Trunk(embedder).to(memory_format=torch.channels_last)
    net = Matcher().to(memory_format=torch.channels_last)
    groups = [{"params": net.parameters(), "lr": rate}, {"params": trunk.parameters(), "lr": rate / 5}]
    opt = torch.optim.AdamW(groups, weight_decay=2e-3)
    parameters = [*net.parameters(), *trunk.parameters()]
    checkpoint, start = CACHE / "matcher.pt", 0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        net.load_state_dict(state["net"])
        trunk.load_state_dict(state["trunk"])
        opt.load_state_dict(state["opt"])
        start = state["step"]
    plan = torch.optim.lr_scheduler.OneCycleLR(
        opt, [rate, rate / 5], total_steps=steps, pct_start=0.06, last_epoch=start - 1 if start else -1
    )
    if start >= steps:
        return net, trunk
    decks = [PairShard.load(path, lambda crops: embed_crops(session, crops)) for path in paths]
    held = [PairShard.load(path, lambda crops: embed_crops(session, crops)) for path in held_out]
    check = [batch_of([deck], 8, np.random.default_rng(5)) for deck in held]
    tick, losses = time.monotonic(), []
    with ThreadPoolExecutor(hands) as pool:
        ahead = [
            pool.submit(batch_of, decks, each, np.random.default_rng([3, step]))
            for step in range(start, min(steps, start + hands))
        ]
        for step in range(start, steps):
            batch = ahead.pop(0).result()
            if step + hands < steps:
                ahead.append(pool.submit(batch_of, decks, each, np.random.default_rng([3, step + hands])))
            loss = loss_of(net, trunk, batch)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 5.0)
            opt.step()
            plan.step()
            losses.append(loss.item())
            if (step + 1) % 100 == 0:
                print(
                    json.dumps(
                        {
                            "matcher": step + 1,
                            "of": steps,
                            "s": round(time.monotonic() - tick, 1),
                            "loss": round(float(np.mean(losses[-100:])), 4),
                        }
                    ),
                    flush=True,
                )
            if (step + 1) % 500 == 0 or step + 1 == steps:
                torch.save(
                    {"net": net.state_dict(), "trunk": trunk.state_dict(), "opt": opt.state_dict(), "step": step + 1},
                    checkpoint,
                )
                print(json.dumps({"matcher": step + 1, "held_out": evaluate(net, trunk, check)}), flush=True)
    return net, trunk


def evaluate(net: Matcher, trunk: Trunk, check: list[Batch]) -> dict[str, float]:
    """Measure on decks that training never saw: loss, others passed where few own faces are lost, and poses."""
    net.eval()
    with torch.no_grad():
        each = [predict(net, trunk, batch) for batch in check]
    net.train()
    odds = torch.cat([odds for odds, _ in each]).numpy()
    same = torch.cat([batch[5] for batch in check]).numpy() > 0
    laid = torch.cat([(batch[2].abs().sum(1) > 0)[:, None].expand(-1, RIVALS) for batch in check]).numpy()
    off = torch.cat([off.abs() for _, off in each]).numpy()[same[:, 0]]
    out: dict[str, float] = {}
    for name, some in (("", laid), ("unlaid_", ~laid)):
        own, others = odds[same & some], odds[~same & some]
        out[name + "loss"] = float(np.logaddexp(0, -own).mean() / 2 + np.logaddexp(0, others).mean() / 2)
        out |= {
            f"{name}passes_at_{lose}": float((others >= np.quantile(own, lose)).mean()) for lose in (0.005, 0.02, 0.05)
        }
    has = same[:, 0]
    out["first"] = float((odds[has].argmax(1) == 0).mean())
    return {k: round(v, 4) for k, v in out.items()} | {
        "px": round(float(off[:, :2].mean()), 2),
        "deg": round(float(off[:, 2].mean()), 2),
    }
