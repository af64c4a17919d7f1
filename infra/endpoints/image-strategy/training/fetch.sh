#!/usr/bin/env bash
# Fetches what training needs into a work folder outside the repository: usage: fetch.sh WORK_DIR
# Needs Debian 12 (or apt sources of it), dpkg, python3 >= 3.11 with venv. Installs nothing on the system.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mkdir -p "$1" && cd "$1" && pwd)

training_sources="gcompris-qt-data plasma-workspace-wallpapers stellarium-data tuxpaint-stamps-default openclipart-png
  supertuxkart-data hedgewars-data tuxpaint-data"
training_fonts="fonts-noto-cjk fonts-wqy-zenhei fonts-arphic-ukai fonts-arphic-uming fonts-dejavu-core fonts-liberation2
  fonts-lato fonts-hack"
# Training sees none of these.
exam_sources="opencv-doc python3-skimage mate-backgrounds lomiri-wallpapers-16.04 lomiri-wallpapers-20.04
  gnome-backgrounds extremetuxracer-data krita-data"
exam_fonts="fonts-droid-fallback fonts-arphic-gbsn00lp fonts-lxgw-wenkai fonts-smiley-sans fonts-roboto-unhinted
  fonts-firacode"

mkdir -p "$work/debs" "$work/packages"
cd "$work/debs"
for package in $training_sources $training_fonts $exam_sources $exam_fonts; do
  [ -d "$work/packages/$package" ] && continue
  ls "${package}"_*.deb >/dev/null 2>&1 || apt-get download -q "$package"
  dpkg -x "${package}"_*.deb "$work/packages/$package"
done

[ -d "$work/venv" ] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q -r "$here/requirements.txt"
