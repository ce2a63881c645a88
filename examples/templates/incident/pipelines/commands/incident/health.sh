# Does the service answer? HEALTH_URL is its address, such as https://shop.example.org/healthz; without it, it is taken for well.
set -eu
if [ -z "${HEALTH_URL:-}" ]; then
  echo "no HEALTH_URL: $1 is taken for well"
  exit 0
fi
curl -fsS --max-time 10 "$HEALTH_URL"
