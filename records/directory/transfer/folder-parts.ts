import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ARTIFACT_LIMIT_BYTES, CONTROL_KINDS, type ControlKind } from '../../../plan/run/artifact';
import { ThermidorFailure } from '../../../plan/run/failure';
import { field } from '../../../plan/text/json';
import { jsonIn, jsonText } from '../../../plan/text/json-text';
import { ownerAfter, validLines } from '../../log-writer-claims';
import { ContentSeal } from '../../sealing/content-seal';
import type { KeyRing } from '../../sealing/key-ring';
import { callerIn } from '../../stored-caller';
import { gateLinkIn, isGateKey } from '../../stored-gate-link';
import { grantTexts } from '../../transfer/grant-texts';
import { endPart, type LogPart, type StorePart } from '../../transfer/store-part';
import { ArtifactFiles } from '../artifact-files';
import { namesIn, onDisk, readIfThere, unlessGone } from '../durable-file';
import { EndedFiles } from '../ended-files';
import { wholeLines } from '../log-lines';
import { wholeText } from '../long-names';
import { scratchOf, stateLayout } from '../state-layout';
import { stepLogPart } from './step-log-files';

/** Every part of a state folder, one after the other. */
export async function* folderParts(root: string, keys: KeyRing): AsyncGenerator<StorePart> {
  yield* contents(root, keys);
  yield* ledgerParts(root);
  yield* stepLogs(root);
  yield* environments(root);
  yield* links(root);
  yield* grants(root);
  yield* refusedAnswers(root);
  for await (const noted of new EndedFiles(root).every()) yield endPart(noted);
}

/** The folder of a kind of content, and those who read and write it. */
export function contentFiles(root: string, kind: ControlKind | 'output', keys: KeyRing): { folder: string; files: ArtifactFiles } {
  const { artifacts } = stateLayout(root);
  const folder = kind === 'output' ? artifacts : join(artifacts, kind);
  return { folder, files: new ArtifactFiles(root, ARTIFACT_LIMIT_BYTES, folder, new ContentSeal(keys, kind)) };
}

async function* contents(root: string, keys: KeyRing): AsyncGenerator<StorePart> {
  for (const of of ['output', ...CONTROL_KINDS] as const) {
    const { folder, files } = contentFiles(root, of, keys);
    for (const beginning of (await sorted(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name))) {
      for (const sha256 of (await sorted(join(folder, beginning))).filter((name) => /^[0-9a-f]{64}$/.test(name))) {
        yield { kind: 'content', of, sha256, bytes: await files.get({ sha256 }) };
      }
    }
  }
}

async function* ledgerParts(root: string): AsyncGenerator<StorePart> {
  const { ledger } = stateLayout(root);
  for await (const { run, folder } of runFolders(ledger, ledger)) {
    for (const file of await sorted(folder)) {
      const path = join(folder, file);
      const [, stem = '', ending] = /^(.*)\.(json|jsonl)$/.exec(file) ?? [];
      if (ending === undefined) continue;
      const name = await wholeText(ledger, stem);
      const text = await textOf(path);
      if (ending === 'json') {
        if (jsonIn(text) === undefined) throw damaged(path, 'is no record');
        yield { kind: 'record', run, name, value: text };
      } else {
        const log = logPart({ run, name }, text, (await stat(path)).mtimeMs);
        if (log) yield log;
      }
    }
  }
}

/** Undefined if nobody has added a line or claimed it. */
function logPart(of: Pick<LogPart, 'run' | 'name'>, text: string, addedAtMs: number): LogPart | undefined {
  const all = wholeLines(text);
  const owner = ownerAfter(undefined, all);
  if (all.length === 0) return undefined;
  const lines = validLines(all).map((line) => jsonText(line));
  const { scheduledAtMs } = owner ?? {};
  const claimed = owner && { claimed: scheduledAtMs === undefined ? {} : { scheduledAtMs } };
  return { kind: 'log', ...of, lines, ...claimed, addedAtMs };
}

async function* stepLogs(root: string): AsyncGenerator<StorePart> {
  const { stepLogs: store } = stateLayout(root);
  for await (const { run, folder } of runFolders(store, store)) {
    for (const file of (await sorted(folder)).filter((name) => name.endsWith('.log'))) {
      const name = await wholeText(store, file.slice(0, -'.log'.length));
      const part = await stepLogPart(run, name, join(folder, file));
      if (part) yield part;
    }
  }
}

async function* environments(root: string): AsyncGenerator<StorePart> {
  const { environments: store } = stateLayout(root);
  for (const file of (await sorted(store)).filter((name) => name.endsWith('.json'))) {
    const path = join(store, file);
    const caller = await textOf(path);
    if (!callerIn(caller)) throw damaged(path, 'is no environment');
    yield { kind: 'environment', workflowId: await wholeText(store, file.slice(0, -'.json'.length)), caller };
  }
}

/** A text that holds no gate counts as missing. */
async function* links(root: string): AsyncGenerator<StorePart> {
  const { gateLinks } = stateLayout(root);
  for (const file of (await sorted(gateLinks)).filter((name) => name.endsWith('.json'))) {
    const [key, link] = [file.slice(0, -'.json'.length), await textOf(join(gateLinks, file))];
    if (isGateKey(key) && gateLinkIn(link)) yield { kind: 'link', key, link };
  }
}

/** The name of a file may be short for its project's, so its entries say which it is. */
async function* grants(root: string): AsyncGenerator<StorePart> {
  const { grants: store } = stateLayout(root);
  for (const file of (await sorted(store)).filter((name) => name.endsWith('.jsonl'))) {
    const entries = wholeLines(await textOf(join(store, file)));
    const project = entries.map((entry) => field(entry, 'project')).find((one) => typeof one === 'string');
    if (typeof project === 'string') yield { kind: 'grants', project, entries: grantTexts(entries, project) };
  }
}

async function* refusedAnswers(root: string): AsyncGenerator<StorePart> {
  const { refusedAnswers: path } = stateLayout(root);
  const texts = await Promise.all([`${path}.1`, path].map(async (one) => (await readIfThere(one))?.toString('utf8') ?? ''));
  const answers = texts.flatMap((text) => text.slice(0, text.lastIndexOf('\n') + 1).split('\n')).filter((line) => line !== '');
  if (answers.length > 0) yield { kind: 'refused', answers };
}

/** The runs that have a folder `<store>/<workflowId>/<run>`. */
async function* runFolders(store: string, names: string): AsyncGenerator<{ run: { workflowId: string; run: string }; folder: string }> {
  for (const workflow of await foldersIn(store)) {
    if (workflow.startsWith('.') || join(store, workflow) === scratchOf(store)) continue;
    const workflowId = await wholeText(names, workflow);
    for (const run of await foldersIn(join(store, workflow))) {
      yield { run: { workflowId, run: await wholeText(names, run) }, folder: join(store, workflow, run) };
    }
  }
}

async function foldersIn(path: string): Promise<string[]> {
  const entries = await onDisk('the store', path, () => unlessGone(() => readdir(path, { withFileTypes: true })));
  return (entries ?? []).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
}

async function sorted(folder: string): Promise<string[]> {
  return (await onDisk('the store', folder, () => namesIn(folder))).sort();
}

async function textOf(path: string): Promise<string> {
  const content = await onDisk('the store', path, () => readIfThere(path));
  if (content === undefined) throw damaged(path, 'was removed while it was copied');
  return content.toString('utf8');
}

function damaged(path: string, what: string): ThermidorFailure {
  return new ThermidorFailure('store.unavailable', `${path} ${what}; restore it, or move it away`, { path });
}
