/** How names and durations are written. Readers and the JSON Schema take them from here. */

/** Names of pipelines, steps, args, agents and loop variables. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** A number and a unit: `500ms`, `30s`, `15m`, `3h`, `2d`. */
export const DURATION = /^(\d{1,12}(?:\.\d{1,3})?)\s*(ms|s|m|h|d)$/;

export const ENVIRONMENT_VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** An output's name becomes a file name, so it contains no folder. */
export const OUTPUT_NAME = /^(?!\.+$)[^/\\]+$/;

/** Names of people and groups, including the names they log in with. */
export const PERSON_NAME = /^[A-Za-z][A-Za-z0-9._@+-]{0,63}$/;

/** The word, among approvers, for anybody. No person may have this name. */
export const ANYONE = 'anyone';
