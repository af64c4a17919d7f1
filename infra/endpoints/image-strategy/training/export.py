"""Writes the trained network as ONNX and records its answers to a few images for the server's test; run by train.sh.

usage: export.py PACKED_DIR MODEL_DIR EXAMPLES_DIR RECORD_FILE
EXAMPLES_DIR is what pack.ts made of the images that the test uses; their logits go to RECORD_FILE.
"""

import json
import sys
from pathlib import Path

import torch

from network import StrategyNetwork
from packed import CLASSES, load_pixels

OPSET = 18


def main(packed: Path, model: Path, examples: Path, record: Path) -> None:
    torch.set_num_threads(1)
    network = StrategyNetwork(len(CLASSES))
    network.load_state_dict(torch.load(packed / "network.pt", weights_only=True))
    network.eval()
    file = model / "strategy.onnx"
    torch.onnx.export(
        network, (torch.zeros(1, 3, 224, 224),), file, opset_version=OPSET, dynamo=False,
        input_names=["pixels"], output_names=["logits"],
        dynamic_axes={"pixels": {0: "n", 2: "height", 3: "width"}, "logits": {0: "n"}},
    )
    print(f"{file}: {file.stat().st_size} bytes")
    recorded: dict[str, list[float]] = {}
    for listing in sorted(examples.glob("*.json")):
        files, pixels = load_pixels(listing)
        with torch.no_grad():
            for name, row in zip(files, network(torch.from_numpy(pixels).float()).tolist() if files else []):
                recorded[name] = [round(value, 5) for value in row]
    record.write_text(json.dumps(dict(sorted(recorded.items())), indent=2) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
