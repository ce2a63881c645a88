// Records histories of representative runs into test/histories/, for the replay test. Invariants: 1. the folder only grows:
// a file that is there is never written again, and a case whose file is there is not run; 2. nothing of the machine that
// recorded it is in a file. A change of what workflows do gets a new case with the next number, never a new recording.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CASES } from './histories/cases.mjs';
import { neutral } from './histories/neutral.mjs';
import { openStage } from './histories/stage.mjs';

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'test', 'histories');
mkdirSync(folder, { recursive: true });
const missing = CASES.filter(({ name }) => !existsSync(join(folder, `${name}.json`)));
if (missing.length === 0) console.log('every case has its history; add a case to scripts/histories/cases.mjs');

/** Cases with the same limit of events share a server. */
for (const limit of new Set(missing.map(({ eventsLimit }) => eventsLimit))) {
  const stage = await openStage(limit);
  try {
    for (const one of missing.filter(({ eventsLimit }) => eventsLimit === limit)) await record(stage, one);
  } finally {
    await stage.close();
  }
}

async function record(stage, one) {
  const { name, pipeline, repository, script, input, drive, ends, rerun, driveRerun, child, queue, queueOf } = one;
  if (queue !== undefined) return write(stage, name, 'RUNNING', await stage.queueHistories(name, one));
  if (repository !== undefined) stage.makeRepository(repository);
  let run = await stage.start(name, pipeline, script, input);
  await drive?.(run);
  const ended = await run.ended();
  if (ended !== ends) throw new Error(`${name} ended ${ended}, not ${ends}: ${await run.problem()}`);
  // Of a rerun its own history is kept: the run before it is like any other.
  if (rerun !== undefined) {
    run = await run.rerun(rerun);
    await driveRerun?.(run);
    await run.ended();
  }
  write(stage, name, ended, await run.histories());
  if (child !== undefined) write(stage, `${name}.child`, '', await run.histories(child));
  if (queueOf !== undefined) write(stage, queueOf, 'RUNNING', await stage.historiesOfQueue(repository.name));
}

function write(stage, name, ended, executions) {
  for (const [i, history] of executions.entries()) {
    // The last execution of a run has the case's own name; the ones that went on as new before it are numbered.
    const file = join(folder, i === executions.length - 1 ? `${name}.json` : `${name}.${i + 1}.json`);
    if (existsSync(file)) continue;
    const text = `${JSON.stringify(neutral(history, stage.names()), null, 1)}\n`;
    writeFileSync(file, text, { flag: 'wx' });
    console.log(`${file.slice(folder.length + 1)}  ${ended}  ${history.events.length} events, ${Math.ceil(text.length / 1024)} KiB`);
  }
}
