# Does what is live work? Ask your service itself, as with: curl -fsS https://example.org/version | grep -qx "$1"
set -eu
live=$(readlink live/current || true)
if [ "$live" != "$1" ]; then
  echo "live is \"$live\", not \"$1\"" >&2
  exit 1
fi
ls live/current/ > /dev/null
echo "$1 answers"
