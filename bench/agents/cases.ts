/** The cases: many agents at once on one worker, each of which reads a file in every turn, against a service in another process. */
export const AGENTS = 64;
export const CASE = `steps-${AGENTS}`;
export const PIPELINE = 'many';

/** Replies of one agent: all but the last call a tool. */
export const REPLIES = 5;
/** Pieces of one reply. */
export const PIECES = 80;
export const PIECE = 'and so the swans went on. ';
/** The pause between two pieces, at the pace of a model. */
export const PIECE_EVERY_MS = 25;

/** How long the streams take by themselves, in seconds. */
export const STREAM_S = (REPLIES * PIECES * PIECE_EVERY_MS) / 1000;

/** The folder that all of them work in, and the file that each reads there with every call. */
export const DESK = 'desk';
export const NOTES = 'notes.md';
export const TOOL = 'read_file';
const LINES = 200;
const LINE = 'What was found on that day, who saw it, and where it is written down, as far as anybody knows of it.';

/** The name of the key in the settings. */
export const KEY_NAME = 'BENCH_AGENTS_KEY';

export const BUDGET = {
  memoryMb: 600,
  stallMs: 100,
  /** A heartbeat each second, held back for one at most by the SDK, and one to spare. */
  heartbeatS: 3,
} as const;

export function pipelineText(): string {
  const steps = Array.from(
    { length: AGENTS },
    (_, n) => `  - {id: look-${n}, agent: clerk, cwd: ${DESK}, output: Found-${n}.md, depends_on: [begin]}\n`,
  );
  return `name: ${PIPELINE}\nlimits: {concurrent: ${AGENTS}}\nsteps:\n  - {id: begin, run: "true"}\n${steps.join('')}`;
}

export function agentText(): string {
  return `role: You look through the notes.\nmodel: bench-model\nadapter: anthropic\ntools: [${TOOL}]\n`;
}

export function notesText(): string {
  return `${LINE}\n`.repeat(LINES);
}

export function settingsText(url: string): string {
  return JSON.stringify({ adapters: { anthropic: { base_url: url, key: `secret://env/${KEY_NAME}` } } });
}
