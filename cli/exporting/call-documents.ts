import { field } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { ACCOUNT } from '../../records/accounts/account-log';
import type { Holds } from '../../records/exports/export-manifest';
import type { Pieces } from '../../records/exports/write-export';
import type { RunKey } from '../../records/ledger';
import { lineText } from '../../records/logs/line-text';
import type { Records } from '../../records/records';
import { transcriptLog } from '../../records/transcripts/transcript-log';
import { callIds } from '../recording/record-run';

export interface CallDocument {
  holds: Extract<Holds, { kind: 'transcript' | 'log' }> | { kind: 'accounts'; run: string };
  pieces: Pieces;
}

/** What the calls of a run have left: what they cost, what agents said, and what programs printed. All of it was masked as it was kept. */
export async function* callDocuments({ ledger, runs, logs }: Records, key: RunKey): AsyncGenerator<CallDocument> {
  const run = key.workflowId;
  let any = false;
  for await (const lines of runs.logs(key, [ACCOUNT])) any ||= lines.length > 0;
  async function* accounts(): AsyncGenerator<string> {
    for await (const lines of runs.logs(key, [ACCOUNT])) yield* lines.map((line) => `${jsonText(line)}\n`);
  }
  if (any) yield { holds: { kind: 'accounts', run }, pieces: accounts() };
  const calls = new Set(await callIds(runs, key));
  // A set grows while it is walked: a call may continue one that nobody paid for.
  for (const call of calls) {
    const lines = await ledger.lines(key, transcriptLog(call));
    for (const line of lines) {
      const adopted = field(line, 'adopts');
      if (typeof adopted === 'string') calls.add(adopted);
    }
    if (lines.length > 0) yield { holds: { kind: 'transcript', run, call }, pieces: lines.map((line) => `${jsonText(line)}\n`) };
  }
  for (const call of (await logs.list(key)).sort()) yield { holds: { kind: 'log', run, call }, pieces: logLines(logs, key, call) };
}

async function* logLines(logs: Records['logs'], key: RunKey, call: string): AsyncGenerator<string> {
  let at = new Date(0).toISOString();
  for await (const entry of logs.read(key, call)) {
    if (entry.kind === 'line') at = entry.at;
    yield entry.kind === 'line' ? lineText(entry) : lineText({ at, from: 'note', text: `${entry.bytes} bytes of the log are not kept` });
  }
}
