/** What a server of tools may take of us, and we of it. */
export interface ServerLimits {
  /** Until it has started and said what it is. A first start may have to fetch the program. */
  startMs: number;
  /** Of one request, while it says nothing of its progress. */
  silentMs: number;
  /** Of one request, whatever it says. */
  callMs: number;
  /** How often within one try it is started again after it has ended. */
  restarts: number;
  /** Of one message; of one answer over HTTP. */
  messageBytes: number;
  /** Lines that are no messages before it is given up. */
  garbageLines: number;
  pages: number;
  tools: number;
  descriptionCharacters: number;
  schemaCharacters: number;
  resultCharacters: number;
}

export const SERVER_LIMITS: ServerLimits = {
  startMs: 60_000,
  silentMs: 120_000,
  callMs: 600_000,
  restarts: 3,
  messageBytes: 8 * 1024 * 1024,
  garbageLines: 1000,
  pages: 20,
  tools: 256,
  descriptionCharacters: 4000,
  schemaCharacters: 64 * 1024,
  resultCharacters: 30_000,
};
