#!/usr/bin/env bash
# Draws the images, trains, exports and examines: usage: train.sh WORK_DIR (after fetch.sh WORK_DIR).
Finished steps are not repeated; remove their folder in WORK_DIR to do so.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(cd "$1" && pwd)
root=$(cd "$here/../../../.." && pwd)
fixtures=$root/test/endpoints/fixtures
python=("$work/venv/bin/python" -B)
node=("$root/node_modules/.bin/node")

[ -d "$work/pools" ] || "${python[@]}" "$here/sources.py" "$work/packages" "$work/pools"
"${python[@]}" "$here/draw.py" "$work/packages" "$work/pools" "$work/images" 8000 300
for part in train held-out; do
  [ -d "$work/packed/$part" ] && continue
  # Half a pack must not look like a whole one.
  rm -rf "$work/packed/new" && "${node[@]}" "$here/pack.ts" "$work/images/$part" "$work/packed/new"
  mv "$work/packed/new" "$work/packed/$part"
done
"${python[@]}" "$here/train.py" "$work/packed" "$here/../model"
rm -rf "$work/examples" && "${node[@]}" "$here/pack.ts" "$fixtures" "$work/examples"
"${python[@]}" "$here/export.py" "$work/packed" "$here/../model" "$work/examples" "$fixtures/strategy-logits.json"

[ -d "$work/exam" ] || "${node[@]}" "$here/exam/render.ts" "$work/packages" "$work/exam" 48 2027
cd "$root" && npm run bench -- seeing --strategy "$work/exam" --json
