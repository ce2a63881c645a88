# Prints the version that is live, as {"version": "1.3.2"}; "none" where nothing is live. Refuses a version that is no version.
set -eu
case "$1" in
  *[!0-9A-Za-z.-]* | "" | .* | -*) echo "\"$1\" is no version: write it as 1.4.0" >&2; exit 2 ;;
esac
printf '{"version": "%s"}\n' "$(readlink live/current || echo none)"
