# Your build. As it comes: an archive of the last commit, or of this folder where it is no checkout, as out/VERSION.tar.gz.
set -eu
mkdir -p out
if git rev-parse --verify -q HEAD > /dev/null 2>&1; then
  git archive --format=tar.gz -o "out/$1.tar.gz" HEAD
else
  tar -czf "out/$1.tar.gz" --exclude=./out --exclude=./live --exclude=./releases --exclude=./.thermidor .
fi
ls -l "out/$1.tar.gz"
