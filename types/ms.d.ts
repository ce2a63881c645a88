/** `ms@3 canary` ships no types condition; without this the Temporal SDK's `Duration` degrades to `any`. */
declare module 'ms' {
  export type StringValue = `${number}` | `${number}${string}` | `${number} ${string}`;
}
