"""Pictures to sightings: stillness, the mat, detecting card corners, identifying them, assigning names; enrolment."""

import os

# onnxruntime would tell its makers about every session, and keep a number of this machine for that; it looks on import.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
