import { createHash } from 'node:crypto';
import { exportContents } from '../../cli/exporting/export-content';
import { NamedContents } from '../../cli/exporting/named-content';
import { exportPage } from '../../cli/exporting/page/export-page';
import type { PagedRun } from '../../cli/exporting/page/paged-run';
import type { ExportedFile } from '../../records/exports/export-manifest';
import type { ExportWriter } from '../../records/exports/write-export';
import { openRecords } from '../../records/open-records';
import { scratchFolder } from '../support/scratch-folder';
import { runView, stepView } from './views';

const EVIL = '</pre><script>alert(1)</script><img src=x onerror=alert(1)>"\'\u202e\u0007';
const records = () => openRecords({ stateDir: scratchFolder() });

function writer(): ExportWriter & { bytes: Map<string, string>; files: ExportedFile[] } {
  const bytes = new Map<string, string>();
  const files: ExportedFile[] = [];
  return {
    bytes,
    files,
    async add(path, pieces, holds) {
      let text = '';
      for await (const piece of pieces) text += piece.toString();
      bytes.set(path, text);
      const file = { path, sizeBytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex'), holds };
      files.push(file);
      return file;
    },
  };
}

async function pageOf(...runs: PagedRun[]): Promise<string> {
  const manifest = {
    ...({ format: 'thermidor-export', version: 1, run: 'r', pipeline: 'p', state: 'waiting' } as const),
    ...{ exportedAt: '2026-11-30T12:00:00.000Z', by: '0.1.0', missing: [] },
  };
  let page = '';
  for await (const piece of exportPage({ manifest, runs, contents: new Map(), files: [] })) page += piece;
  return page;
}

test('nothing of a run is markup on the page, which allows no script and no network', async () => {
  const at = '2026-11-30T11:00:00.000Z';
  const steps = [
    stepView('ask', {
      ...{ agent: EVIL, waitingFor: EVIL, item: EVIL, skipped: EVIL, startedAt: at },
      ...{ error: { code: EVIL, message: EVIL }, artifact: { sha256: EVIL, sizeBytes: 1, mediaType: EVIL, name: EVIL } },
    }),
  ];
  const view = { ...runView(steps), run: EVIL, description: EVIL, owner: EVIL, reason: EVIL, args: { [EVIL]: EVIL }, script: EVIL };
  const decision = { choice: EVIL, by: EVIL, comment: EVIL, at, via: 'signal', identity: 'claimed', shownSha256: EVIL } as const;
  const shown = [
    { seq: 1, at, kind: 'gate' as const, step: EVIL, event: 'opened' as const, question: EVIL },
    { seq: 2, at, kind: 'decision' as const, step: EVIL, decision },
  ];
  const page = await pageOf({ view, parent: { run: EVIL, step: EVIL }, paid: [], shown, entries: 2 });
  for (const sign of ['<script', '<img', '\u202e', '\u0007']) expect(page).not.toContain(sign);
  expect(page.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(12);
  const [, policy = ''] = /Content-Security-Policy" content="([^"]+)"/.exec(page) ?? [];
  expect(policy).toMatch(
    /^default-src &#39;none&#39;; style-src &#39;sha256-[^&]+&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;$/,
  );
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
  expect(policy).toContain(createHash('sha256').update(style).digest('base64'));
  expect(page).not.toMatch(/ style="|https?:/);
});

test('a run that has not ended says so', async () => {
  const page = await pageOf({ view: { ...runView([]), state: 'waiting' }, paid: [], shown: [], entries: 0 });
  expect(page).toContain('had not ended when it was exported');
});

test('outputs have harmless names, and no secrets', async () => {
  const { artifacts } = records();
  const put = (text: string, name: string) => artifacts.put(text, { mediaType: 'text/plain', name });
  const contents = new NamedContents();
  const refs = [];
  for (const name of ['../x', '/etc/passwd', 'CON', 'notes.md', 'Notes.md']) refs.push(await put(`the token of ${name} is hunter22`, name));
  contents.takeFrom({ refs, digests: [{ shownSha256: 'f'.repeat(64) }], gone: { ...refs[0], sha256: 'e'.repeat(64) } });
  const out = writer();
  const mask = (text: string) => text.replaceAll('hunter22', '***');
  const { missing, rewritten } = await exportContents(out, { artifacts }, contents.values(), mask);
  expect(missing).toEqual(['e'.repeat(64)]);
  expect([...out.bytes.keys()].filter((path) => !/^artifacts\/([0-9a-f]{64}(\.md)?|notes\.md|Notes\.md)$/.test(path))).toEqual([]);
  expect([...out.bytes.values()].join()).not.toContain('hunter22');
  expect(out.files).toHaveLength(5);
  for (const ref of refs) {
    const [, found = ''] = /"([0-9a-f]{64})"/.exec(rewritten(`"${ref.sha256}"`)) ?? [];
    expect(out.files.find(({ sha256 }) => sha256 === found)?.holds).toMatchObject({ masked: ref.sha256, name: ref.name });
  }
});

test('content that a plan or a decision names by its digest is in it as well', async () => {
  const { artifacts } = records();
  const { sha256 } = await artifacts.put('the prompt', { mediaType: 'text/plain' });
  const contents = new NamedContents();
  contents.takeFromPlan(JSON.stringify({ prompt: sha256, source: 'd'.repeat(64) }));
  const out = writer();
  const { missing } = await exportContents(out, { artifacts }, contents.values(), (text) => text);
  expect([...out.bytes]).toEqual([[`artifacts/${sha256}`, 'the prompt']]);
  expect(missing).toEqual([]);
});
