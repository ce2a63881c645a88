/** The limits between us and a server of tools. */
export interface ServerLimits {
  /** The time until it has started and introduced itself. A first start may have to download the program. */
  startMs: number;
  /** The limit of one request without a report of progress. */
  silentMs: number;
  /** The limit of one request in any case. */
  callMs: number;
  /** How often within one try it is started again after it has ended. */
  restarts: number;
  /** The limit of one message; and of one answer over HTTP. */
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
