/** How names and durations are written. Readers and the JSON Schema take them from here. */

/** Of pipelines, steps, args, agents and a loop's variables. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** A number and a unit: `500ms`, `30s`, `15m`, `3h`, `2d`. */
export const DURATION = /^(\d{1,12}(?:\.\d{1,3})?)\s*(ms|s|m|h|d)$/;

export const ENVIRONMENT_VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** An output's name becomes a file's: no folder in it. */
export const OUTPUT_NAME = /^(?!\.+$)[^/\\]+$/;

/** Of people and groups: also what they are called where they log in. */
export const PERSON_NAME = /^[A-Za-z][A-Za-z0-9._@+-]{0,63}$/;

/** Among approvers: anybody may decide. No person may have this name. */
export const ANYONE = 'anyone';
