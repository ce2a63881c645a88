# What has changed since the last tag, a line a commit.
set -eu
if ! git rev-parse --verify -q HEAD > /dev/null 2>&1; then
  echo "first release"
  exit 0
fi
last=$(git describe --tags --abbrev=0 2> /dev/null || true)
git log --no-merges --format='%h %s' ${last:+"$last.."} | head -n 300
