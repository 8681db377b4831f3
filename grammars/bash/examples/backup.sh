#!/bin/bash
# Makes a backup.
set -eu -o pipefail

readonly TARGET="${1:-/tmp/backup}" today=$(date +%F)
files=(a.txt "b c.txt" *.log)
declare -A sizes

usage() {
  echo "usage: $0 [-v] TARGET" >&2
  exit 2
}

while getopts "vh" option; do
  case "$option" in
    v) verbose=1 ;;
    h | help) usage ;;
    *) exit 1 ;;
  esac
done

for file in "${files[@]}"; do
  if [[ -f $file && ! $file =~ \.tmp$ ]]; then
    size=$(wc -c < "$file")
    sizes[$file]=$((size + 1))
    cp "$file" "$TARGET/${today}_${file%.txt}" || continue
  elif [ -d "$file" ]; then
    tar czf - "$file" | gzip -9 > "$TARGET/$file.tgz" 2> /dev/null &
  else
    printf '%s\n' "no $file"
  fi
done

until ((${#sizes[@]} < 3)); do unset 'sizes[a.txt]'; done
cat <<END
done: ${today} $((2 ** 3))
END
wait; trap 'rm -f "$TARGET"' EXIT
