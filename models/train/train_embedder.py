"""Train the embedder: crops of the same card of the same deck close together, all others of that deck apart.

Each step takes a few decks; of each, a set of classes (one side of one card) that are easily confused; of each, two
pictures. Every picture must find its partner among all the classes of its deck (InfoNCE), must tell its rank, and must
agree with its suit.
"""

from __future__ import annotations

import json
import math
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as nnf

from models.train.data import CACHE, EMBEDDER_PX_PER_MM, MARGIN_MM, add_veil
from models.train.decks import NAMES, PAPERS, RANKS
from models.train.nets import Embedder, bf16_is_fast, take_up

WIDTH, HEIGHT = 160, 56
_VEILED = 0.25
"""This share of the crops lies behind a veil of light."""
_SEVEN, _PAPER_SIDES = 49, 2 * len(PAPERS)
BACK = NAMES.index("back")


def rank_of(label: int) -> int:
    """Return the rank: 0..12 for A..K, 13 for a paper, 14 for a back."""
    name = NAMES[label % 100]
    return 14 if name == "back" else 13 if "/" in name else RANKS.index(name[1:])


def suit_of(label: int) -> int:
    """Return the suit: 0..6, or -1 for anything but a SEVEN face."""
    return label % 100 // 7 if label % 100 < _SEVEN else -1


class DeckCrops:
    """One deck's crops by label, with what share shows."""

    def __init__(self, path: Path) -> None:
        with np.load(path) as z:
            self.crops, self.labels, self.shown = z["strips"], z["labels"], z["shown"]
            self.two_ended = bool(z["two_ended"])
        self.by_label: dict[int, NDArray[np.int64]] = {}
        for label in np.unique(self.labels):
            rows = np.flatnonzero(self.labels == label)
            # A paper is recognised by its title; the index corner, which always shows, is enough for all others.
            good = rows[self.shown[rows] > (0.62 if "/" in NAMES[label % 100] else 0.28)]
            if len(good) and not (not self.two_ended and label >= 100 and label % 100 < _SEVEN):
                self.by_label[int(label)] = good

    def pick(self, label: int, rng: np.random.Generator, page: bool) -> NDArray[np.uint8]:
        rows = self.by_label[label]
        pages = rows[self.shown[rows] > 1.5]
        if page and len(pages):
            rows = pages
        elif len(rows) > len(pages):
            rows = rows[self.shown[rows] <= 1.5]
        return self.crops[rng.choice(rows)]


def jitter(crop: NDArray[np.uint8], rng: np.random.Generator | None, much: float = 1.0) -> NDArray[np.float32]:
    """Cut the embedder's window out of a wide crop, shifted and turned as a detector errs."""
    margin = MARGIN_MM * EMBEDDER_PX_PER_MM
    if rng is None:
        x = round(margin)
        return crop[x : x + HEIGHT, x : x + WIDTH].astype(np.float32)
    dx, dy = rng.normal(0, 0.9 * EMBEDDER_PX_PER_MM * much, 2).clip(-margin, margin)
    a = rng.normal(0, 1.6 * much)
    m = cv2.getRotationMatrix2D((WIDTH / 2 + margin, HEIGHT / 2 + margin), a, 1 + rng.normal(0, 0.02 * much))
    m[:, 2] -= (margin + dx, margin + dy)
    out = cv2.warpAffine(crop, m, (WIDTH, HEIGHT), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(
        np.float32
    )
    out *= np.exp(rng.normal(0, 0.06) + rng.normal(0, 0.035, 3)).astype(np.float32)
    if rng.random() < _VEILED:
        out = add_veil(out, rng, rng.uniform(0.2, 0.85))
    if rng.random() < 0.12:  # overexposed: what is bright is washed out, and the light's correction can't bring it back
        over = np.float32(rng.uniform(1.1, 1.7))
        out = np.minimum(out * over, 255) / over
    if rng.random() < 0.3:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.3, 1.1))
    if rng.random() < 0.4:
        out += rng.standard_normal(out.shape, np.float32) * np.float32(rng.uniform(1, 12))
    return np.clip(out, 0, 255)


def choose(deck: DeckCrops, count: int, rng: np.random.Generator) -> list[int]:
    """Choose classes of one deck that are worth telling apart."""
    labels = np.array(sorted(deck.by_label))
    names = labels % 100
    style = rng.random()
    if style < 0.28:  # whole suits
        suits = rng.permutation(7)[: count // 7]
        pool = labels[(names < _SEVEN) & np.isin(names // 7, suits)]
    elif style < 0.68:  # equal ranks across suits
        ranks = rng.permutation(13)[: max(3, count // 4)]
        pool = labels[(names < _SEVEN) & np.isin([rank_of(int(n)) for n in names], ranks)]
    elif style < 0.88:  # papers, both sides
        pool = labels[names >= _SEVEN]
    else:
        pool = labels
    pool = rng.permutation(pool)[:count]
    rest = rng.permutation(np.setdiff1d(labels, pool))
    return [int(v) for v in np.concatenate([pool, rest[: count - len(pool)]])]


def train(
    paths: list[Path],
    held_out: list[Path],
    steps: int,
    decks: int = 3,
    classes: int = 24,
    threads: int = 2,
    seed: int = 0,
    lr: float = 1.5e-3,
    published: Path | None = None,
) -> Embedder:
    """Train for that many steps, resuming from the last checkpoint; JSON lines of progress.

    ``published`` is an earlier embedder.onnx to start from instead of from nothing.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(threads)
    net = Embedder().to(memory_format=torch.channels_last)
    scale = torch.nn.Parameter(torch.tensor(math.log(14.0)))
    data = [DeckCrops(p) for p in paths]
    if published is not None and not (CACHE / "embedder.pt").exists():
        rng = np.random.default_rng([seed, 11])
        crops = [jitter(deck.crops[int(rng.integers(len(deck.crops)))], rng) for deck in data for _ in range(4)]
        take_up(net, published, torch.from_numpy(np.stack(crops[:256]).transpose(0, 3, 1, 2)))
        scale.data = torch.tensor(math.log(40.0))
    opt = torch.optim.AdamW(
        [{"params": net.parameters()}, {"params": [scale], "weight_decay": 0.0}], lr=lr, weight_decay=2e-3
    )
    checkpoint = CACHE / "embedder.pt"
    start = 0
    if checkpoint.exists():
        state = torch.load(checkpoint)
        net.load_state_dict(state["net"])
        opt.load_state_dict(state["opt"])
        scale.data = state["scale"]
        start = state["step"]
    plan = torch.optim.lr_scheduler.OneCycleLR(
        opt, lr, total_steps=steps, pct_start=0.08, last_epoch=start - 1 if start else -1
    )
    if start >= steps:
        return net
    check = [DeckCrops(p) for p in held_out]
    tick = time.monotonic()
    with ThreadPoolExecutor(1) as hands:  # the next batch is made while the last one is learnt
        ahead = hands.submit(_make_batch, data, decks, classes, seed, start)
        for step in range(start, steps):
            x, labels = ahead.result()
            ahead = hands.submit(_make_batch, data, decks, classes, seed, step + 1)
            loss, paired, right = _compute_loss(net, scale, x, labels)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            opt.step()
            plan.step()
            if (step + 1) % 50 == 0:
                said = {"embedder": step + 1, "of": steps, "s": round(time.monotonic() - tick, 1), "loss": loss.item()}
                print(
                    json.dumps(
                        {**said, "paired": round(paired, 4), "rank": round(right, 4), "scale": scale.exp().item()}
                    ),
                    flush=True,
                )
            if (step + 1) % 250 == 0 or step + 1 == steps:
                state = {"net": net.state_dict(), "opt": opt.state_dict(), "scale": scale.data, "step": step + 1}
                torch.save(state, checkpoint)
                print(json.dumps({"embedder": step + 1, "held_out": evaluate(net, check)}), flush=True)
    return net


def _make_batch(
    data: list[DeckCrops], decks: int, classes: int, seed: int, step: int
) -> tuple[Tensor, list[list[int]]]:
    """Make the crops of one step, two pictures of each class, deck by deck, and the classes' labels."""
    rng = np.random.default_rng([seed, 7, step])
    images, labels = [], []
    for d in rng.permutation(len(data))[:decks]:
        chosen = choose(data[d], classes, rng)
        labels.append(chosen)
        for view in range(2):
            page = view == 0 and rng.random() < 0.6
            images += [jitter(data[d].pick(label, rng, page), rng) for label in chosen]
    x = torch.from_numpy(np.stack(images).transpose(0, 3, 1, 2))
    return x.contiguous(memory_format=torch.channels_last), labels


def _compute_loss(net: Embedder, scale: Tensor, x: Tensor, labels: list[list[int]]) -> tuple[Tensor, float, float]:
    """Compute the loss of a step, the share of classes that found their partner, and of ranks read right."""
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=bf16_is_fast()):
        e, ranks, suits = (v.float() for v in net(x))
    e, suits = nnf.normalize(e), nnf.normalize(suits)
    loss = torch.zeros(())
    hits = total = at = 0
    temperature = scale.exp().clamp(5, 60)
    for chosen in labels:
        n = len(chosen)
        a, b = e[at : at + n], e[at + n : at + 2 * n]
        sim = a @ b.T * temperature
        goal = torch.arange(n)
        loss = loss + (nnf.cross_entropy(sim, goal) + nnf.cross_entropy(sim.T, goal)) / 2
        hits += int((sim.argmax(1) == goal).sum())
        total += n
        s = torch.tensor([suit_of(c) for c in chosen])
        mine = s >= 0
        if len(torch.unique(s[mine])) > 1:
            sa, sb = suits[at : at + n][mine], suits[at + n : at + 2 * n][mine]
            same = (s[mine][:, None] == s[mine][None]).float()
            logp = nnf.log_softmax(sa @ sb.T * 12.0, 1)
            loss = loss - 0.3 * ((same * logp).sum(1) / same.sum(1)).mean()
        at += 2 * n
    wanted = torch.tensor([rank_of(c) for chosen in labels for c in (*chosen, *chosen)])
    loss = loss / len(labels) + 0.4 * nnf.cross_entropy(ranks, wanted)
    return loss, hits / total, (ranks.argmax(1) == wanted).float().mean().item()


def embed_all(net: Embedder, crops: list[NDArray[np.float32]]) -> tuple[Tensor, Tensor, Tensor]:
    """Embed crops in small batches, without gradients."""
    out = []
    with torch.no_grad():
        for k in range(0, len(crops), 128):
            x = torch.from_numpy(np.stack(crops[k : k + 128]).transpose(0, 3, 1, 2)).contiguous(
                memory_format=torch.channels_last
            )
            out.append(net(x))
    e, r, s = (torch.cat(v).float() for v in zip(*out, strict=True))
    return e, r, s


def evaluate(net: Embedder, check: list[DeckCrops]) -> dict[str, float]:
    """Measure naming of scene crops by page crops over held-out decks: right names, ranks and mean margin."""
    net.eval()
    hits = ranks = total = seven = 0
    margins = []
    for deck in check:
        rng = np.random.default_rng(3)
        refs = sorted(deck.by_label)
        re, _, _ = embed_all(net, [jitter(deck.pick(label, rng, True), None) for label in refs])
        rows = np.flatnonzero((deck.shown > 0.75) & (deck.shown <= 1.5) & np.isin(deck.labels, refs))[:300]
        if not len(rows):
            continue
        qe, qr, _ = embed_all(net, [jitter(deck.crops[r], rng, 0.6) for r in rows])
        sim = qe @ re.T
        names = torch.tensor([r % 100 for r in refs])
        truth = torch.from_numpy(deck.labels[rows].astype(np.int64)) % 100
        best = sim.argmax(1)
        ok = names[best] == truth
        hits += int(ok.sum())
        total += len(rows)
        mine = truth < _SEVEN
        wanted = torch.tensor([rank_of(int(t)) for t in truth])
        ranks += int((qr.argmax(1) == wanted)[mine].sum())
        seven += int(mine.sum())
        other = sim.masked_fill(names[None] == truth[:, None], -1).max(1).values
        own = sim.masked_fill(names[None] != truth[:, None], -1).max(1).values
        margins.append((own - other).numpy())
    net.train()
    m = np.concatenate(margins)
    return {
        "named": round(hits / total, 4),
        "rank": round(ranks / max(1, seven), 4),
        "margin5": round(float(np.percentile(m, 5)), 3),
        "strips": total,
    }


def export(net: Embedder, path: Path) -> None:
    """Write the ONNX file, with any number of crops."""
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(2, 3, HEIGHT, WIDTH),),
        str(path),
        input_names=["strips"],
        output_names=["embedding", "rank", "suit"],
        dynamic_axes={"strips": {0: "n"}, "embedding": {0: "n"}, "rank": {0: "n"}, "suit": {0: "n"}},
        dynamo=False,
        opset_version=17,
    )
