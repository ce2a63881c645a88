#!/bin/sh
# Looks like a Temporal CLI and dies when it should serve.
case "$*" in
*--help) echo '--db-filename' ;;
*) echo 'the disk is made of cheese' >&2 && exit 1 ;;
esac
