#!/bin/sh
# Makes the namespace and registers the search attributes that `thermidor list --waiting` reads. May run at every start.
# Address and namespace come from TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE, which the temporal command reads itself.
set -eu

keep_runs_for=30d
attributes='ThermidorPipeline ThermidorOwner ThermidorState ThermidorWaitingFor'

# Tries a command every two seconds, for a minute.
wait_for() {
  tries=30
  until "$@" > /dev/null; do
    tries=$((tries - 1))
    if [ "$tries" -eq 0 ]; then
      echo "gave up waiting for: $*" >&2
      exit 1
    fi
    sleep 2
  done
}

# The port opens before the server serves.
wait_for temporal operator cluster health

temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" > /dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$keep_runs_for"

# A new namespace is known to the whole server only after its next refresh.
wait_for temporal operator search-attribute list
known=$(temporal operator search-attribute list)
for attribute in $attributes; do
  case "$known" in
    *"$attribute"*) ;;
    *) temporal operator search-attribute create --name "$attribute" --type Keyword ;;
  esac
done
