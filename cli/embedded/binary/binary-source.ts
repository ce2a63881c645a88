/** One way to get the Temporal server binary. It returns a path, or a line that says why it has none; it does not throw. */
export interface BinarySource {
  /** How the way is called in the error that lists them all. */
  name: string;
  find(asked: BinarySourceContext): Promise<BinarySourceAnswer>;
}

export interface BinarySourceContext {
  env: NodeJS.ProcessEnv;
  onProgress: (line: string) => void;
}

export type BinarySourceAnswer = { path: string; said?: undefined } | { path?: undefined; said: string };
