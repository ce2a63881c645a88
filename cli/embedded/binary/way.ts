/** One way to come by the Temporal server binary. It answers with a path or says, in a line, why it has none; it does not throw. */
export interface Way {
  /** How the way is called in the error that lists them all. */
  name: string;
  find(asked: WayContext): Promise<WayAnswer>;
}

export interface WayContext {
  env: NodeJS.ProcessEnv;
  onProgress: (line: string) => void;
}

export type WayAnswer = { path: string; said?: undefined } | { path?: undefined; said: string };
