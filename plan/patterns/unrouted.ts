/** What an agent at work in a coordinate step says that no step of it handles (docs/patterns.md). */
export interface UnroutedMessage {
  from: string;
  /** The step in which its sender works. */
  step: string;
  channel: string;
  message: string;
}
