/** Results of effects that no store has taken yet, by call. It lasts as long as the process. */
export type UnstoredOutput = Map<string, unknown>;
