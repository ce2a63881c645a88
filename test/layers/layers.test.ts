import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder, writeFiles } from '../support/scratch-folder';

/**
 * The layer table of docs/internals/architecture.md as the linter enforces it, with one probe for each row. `npm run verify` lints, so a
 * forbidden import fails it.
 */
const FORBIDDEN: readonly [file: string, source: string][] = [
  ['plan/a.ts', "import { x } from '../compiler/index';"],
  ['plan/b.ts', "import { x } from 'zod';"],
  ['plan/c.ts', "import { x } from 'node:fs';"],
  ['plan/d.ts', "import { x } from '../kinds/agent/keys';"],
  ['plan/steps/a.ts', "import { x } from '../../compiler/index';"],
  ['plan/steps/b.ts', "import { x } from 'node:fs';"],
  ['plan/steps/c.ts', "import { x } from '../../kinds/agent/keys';"],
  ['kinds/a/model.ts', "import type { x } from '../../compiler/language/row';"],
  ['kinds/b/model.ts', "import { x } from './keys';"],
  ['kinds/a/traits.ts', "import { x } from '../../workflows/interpreter/place';"],
  ['kinds/traits.ts', "import { x } from '../compiler/language/row';"],
  ['kinds/a/rules/a.ts', "import { x } from '../../../workflows/interpreter/place';"],
  ['kinds/a/rules/b.ts', "import { x } from '../run';"],
  ['kinds/a/rules/c.ts', "import type { x } from '../state';"],
  ['kinds/a/view.ts', "import type { x } from './state';"],
  ['kinds/b/view.ts', "import { x } from '../../cli/terminal';"],
  ['kinds/a/state.ts', "import type { x } from '../../workflows/interpreter/place';"],
  ['kinds/b/state.ts', "import { x } from './run';"],
  ['kinds/a/machine/a.ts', "import type { x } from '../run';"],
  ['plan/e.ts', "import type { x } from '../kinds/agent/state';"],
  ['activities/e.ts', "import type { x } from '../kinds/agent/state';"],
  ['client/f.ts', "import type { x } from '../kinds/agent/state';"],
  ['plan/f.ts', "import type { x } from '../kinds/agent/model';"],
  ['plan/g.ts', "import type { x } from '../kinds/agent/view';"],
  ['plan/steps/d.ts', "import { x } from '../../kinds/agent/model';"],
  ['plan/patterns/e.ts', "import { x } from '../../kinds/agent/rules/words';"],
  ['plan/steps/step.ts', "import { x } from '../../kinds/agent/view';"],
  ['plan/patterns/rule.ts', "import type { x } from '../../kinds/agent/model';"],
  ['compiler/e.ts', "import { x } from '../kinds/agent/keys';"],
  ['compiler/lower/f.ts', "import type { x } from '../../kinds/agent/model';"],
  ['compiler/lower/kinds.ts', "import { x } from '../../kinds/agent/run';"],
  ['workflows/interpreter/h.ts', "import { x } from '../../kinds/agent/run';"],
  ['workflows/interpreter/state/i.ts', "import type { x } from '../../../kinds/agent/state';"],
  ['workflows/kinds.ts', "import { x } from '../../kinds/agent/state';"],
  ['workflows/interpreter/state/kept-by-kind.ts', "import { x } from '../../../kinds/agent/run';"],
  ['workflows/temporal/i.ts', "import type { x } from '../../kinds/agent/model';"],
  ['records/h.ts', "import type { x } from '../kinds/agent/model';"],
  ['records/directory/i.ts', "import type { x } from '../../kinds/agent/model';"],
  ['activities/f.ts', "import { x } from '../kinds/agent/rules/words';"],
  ['activities/adapters/f.ts', "import { x } from '../../kinds/agent/model';"],
  ['activities/adapters/room/g.ts', "import { x } from '../../../kinds/agent/model';"],
  ['worker/c.ts', "import { x } from '../kinds/agent/model';"],
  ['client/g.ts', "import type { x } from '../kinds/agent/view';"],
  ['cli/b.ts', "import type { x } from '../kinds/agent/view';"],
  ['cli/rendering/c.ts', "import { x } from '../../kinds/agent/rules/words';"],
  ['kinds/a/keys.ts', "import { x } from '../../workflows/interpreter/place';"],
  ['kinds/a/source.ts', "import type { x } from '@temporalio/workflow';"],
  ['kinds/a/read.ts', "import { x } from 'node:fs';"],
  ['kinds/a/lower.ts', "import { x } from '../../cli/terminal';"],
  ['kinds/b/lower.ts', "import { x } from './run';"],
  ['kinds/a/describe.ts', "import { x } from '../../compiler/language/row';"],
  ['kinds/b/describe.ts', "import { x } from './keys';"],
  ['kinds/a/run.ts', "import { x } from '../../compiler/index';"],
  ['kinds/b/run.ts', "import { x } from '@temporalio/workflow';"],
  ['kinds/c/run.ts', "import type { x } from './lower';"],
  ['kinds/d/run.ts', "import { x } from 'node:crypto';"],
  ['workflows/interpreter/c.ts', "import { x } from '../../kinds/agent/keys';"],
  ['workflows/temporal/g.ts', "import { x } from '../../kinds/agent/lower';"],
  ['activities/c.ts', "import { x } from '../kinds/agent/read';"],
  ['activities/d.ts', "import { x } from '../kinds/agent/run';"],
  ['compiler/d.ts', "import { x } from '../kinds/agent/run';"],
  ['compiler/a.ts', "import { x } from '../workflows/run-context';"],
  ['compiler/deep/b.ts', "import type { x } from '../../activities/ports';"],
  ['compiler/c.ts', "import { x } from 'node:fs';"],
  ['workflows/interpreter/a.ts', "import { x } from '@temporalio/workflow';"],
  ['workflows/interpreter/b.ts', "import { x } from '../../compiler/index';"],
  ['workflows/memory/c.ts', "import { x } from '@temporalio/common';"],
  ['workflows/temporal/d.ts', "import { x } from '@temporalio/client';"],
  ['workflows/temporal/e.ts', "export * from '../../compiler/index';"],
  ['workflows/temporal/f.ts', "import { x } from 'node:crypto';"],
  ['compiler/d.ts', "import type { x } from '../records/ledger';"],
  ['workflows/interpreter/g.ts', "import type { x } from '../../records/ledger';"],
  ['workflows/temporal/h.ts', "import type { x } from '../../records/ledger';"],
  ['records/a.ts', "import type { x } from '../activities/ports';"],
  ['records/runs/b.ts', "import { x } from '../../compiler/index';"],
  ['records/directory/c.ts', "import { x } from '../../client/connect';"],
  ['records/d.ts', "import { x } from '@temporalio/client';"],
  ['records/e.ts', "import { x } from './directory/file-name';"],
  ['records/transcripts/f.ts', "import { x } from 'node:fs';"],
  ['records/logs/g.ts', "import { x } from 'node:path';"],
  ['records/runs/i.ts', "import { x } from '../postgres/database';"],
  ['records/j.ts', "import pg from 'pg';"],
  ['records/k.ts', "import { x } from './s3/bucket';"],
  ['records/runs/l.ts', "import { S3Client } from '@aws-sdk/client-s3';"],
  ['records/accounts/h.ts', "import { x } from '../memory/memory-store';"],
  ['activities/a.ts', "import { x } from './adapters/process';"],
  ['activities/b.ts', "import { x } from '../workflows/run-context';"],
  ['activities/c.ts', "import { x } from '../records/directory/file-name';"],
  ['activities/d.ts', "import { x } from '../records/open-records';"],
  ['activities/e.ts', "import { x } from '../records/postgres/database';"],
  ['activities/f.ts', "import pg from 'pg';"],
  ['activities/adapters/e.ts', "import { x } from '../../records/directory/ledger-files';"],
  ['activities/adapters/room/f.ts', "import { x } from '../../../records/directory/ledger-files';"],
  ['activities/adapters/a.ts', "import { x } from '../agent';"],
  ['activities/adapters/b.ts', "import { x } from '@temporalio/activity';"],
  ['activities/adapters/c.ts', "import { x } from '../../compiler/index';"],
  ['activities/adapters/room/d.ts', "import { x } from '../../schema-check';"],
  ['worker/a.ts', "import { x } from '../client/start-run';"],
  ['worker/b.ts', "export const x = () => import('../cli/main');"],
  ['client/a.ts', "import { x } from '../workflows/run-context';"],
  ['client/b.ts', "import type { x } from '../worker/worker';"],
  ['client/c.ts', "import { x } from '@temporalio/worker';"],
  ['client/d.ts', "import { x } from '../records/directory/file-name';"],
  ['client/e.ts', "import { x } from '../records/open-records';"],
  ['cli/a.ts', "import { x } from '../test/support/world';"],
  ['channels/a/send.ts', "import { x } from '../../activities/toolbox';"],
  ['channels/b/send.ts', "import { x } from '../../client/callbacks/signatures';"],
  ['channels/c/send.ts', "import { x } from './callback';"],
  ['channels/a/message.ts', "import { x } from '../../activities/adapters/git/git';"],
  ['channels/senders.ts', "import { x } from './callbacks';"],
  ['channels/a/callback.ts', "import { x } from '../../activities/channel-port';"],
  ['channels/b/callback.ts', "import { x } from './send';"],
  ['channels/a/interaction.ts', "import { x } from '../../records/ledger';"],
  ['channels/callbacks.ts', "import { x } from '../cli/terminal';"],
  ['plan/f.ts', "import { x } from '../channels/slack/message';"],
  ['compiler/e.ts', "import { x } from '../channels/slack/send';"],
  ['compiler/f.ts', "import { x } from '../channels/callbacks';"],
  ['kinds/e/run.ts', "import { x } from '../../channels/slack/message';"],
  ['kinds/e/lower.ts', "import { x } from '../../channels/slack/message';"],
  ['workflows/interpreter/h.ts', "import { x } from '../../channels/senders';"],
  ['workflows/temporal/i.ts', "import { x } from '../../channels/slack/callback';"],
  ['records/f.ts', "import { x } from '../channels/slack/message';"],
  ['records/directory/g.ts', "import { x } from '../../channels/slack/message';"],
  ['activities/f.ts', "import { x } from '../channels/slack/message';"],
  ['activities/adapters/g.ts', "import { x } from '../../channels/slack/message';"],
  ['activities/adapters/room/h.ts', "import { x } from '../../../channels/senders';"],
  ['client/g.ts', "import { x } from '../channels/slack/send';"],
  ['client/callbacks/h.ts', "import { x } from '../../channels/callbacks';"],
];

const ALLOWED: readonly [file: string, source: string][] = [
  ['plan/ok.ts', "import { x } from './json';"],
  ['plan/rooms.ts', "import { x } from './steps/step';"],
  ['plan/steps/ok.ts', "import { x } from '../text/json';"],
  ['plan/describes.ts', "import { x } from '../kinds/descriptions';"],
  ['plan/patterns/feedback.ts', "import type { x } from '../../kinds/agent/rules/words';"],
  ['compiler/language/kinds.ts', "import { x } from '../../kinds/agent/keys';"],
  ['compiler/language/mappings.ts', "import { x } from '../../kinds/agent/keys';"],
  ['compiler/shape/kinds.ts', "import { x } from '../../kinds/agent/read';"],
  ['compiler/shape/source.ts', "import type { x } from '../../kinds/agent/source';"],
  ['plan/traits.ts', "import { x } from '../kinds/traits';"],
  ['kinds/ok/model.ts', "import type { x } from '../../plan/step-base';"],
  ['kinds/ok/rules/ok.ts', "import type { x } from '../view';"],
  ['kinds/ok/rules/others.ts', "import { x } from '../../agent/rules/words';"],
  ['kinds/ok/view.ts', "import type { x } from './rules/words';"],
  ['kinds/ok/state.ts', "import type { x } from './view';"],
  ['kinds/ok/machine/ok.ts', "import type { x } from '../state';"],
  ['kinds/replies.ts', "import { x } from './agent/rules/words';"],
  ['activities/replies.ts', "import { x } from '../kinds/replies';"],
  ['cli/teams/report.ts', "import type { x } from '../../kinds/agent/rules/words';"],
  ['kinds/ok/traits.ts', "import type { x } from '../../plan/kind-traits';"],
  ['kinds/shown/traits.ts', "import { x } from './view';"],
  ['kinds/ok/keys.ts', "import { x } from '../../compiler/language/row';"],
  ['kinds/ok/lower.ts', "import { x } from '../../compiler/lower/here';"],
  ['kinds/ok/describe.ts', "import type { x } from './model';"],
  ['kinds/ok/run.ts', "import { x } from '../../workflows/interpreter/place';"],
  ['kinds/questions.ts', "import { x } from './traits';"],
  ['workflows/interpreter/traits.ts', "import { x } from '../../kinds/traits';"],
  ['compiler/ok.ts', "import { x } from '../plan/json';"],
  ['compiler/hash.ts', "import { x } from 'node:crypto';"],
  ['workflows/interpreter/ok.ts', "import { x } from '../../plan/json';"],
  ['workflows/temporal/ok.ts', "import { x } from '@temporalio/workflow';"],
  ['records/ok.ts', "import { x } from '../plan/json';"],
  ['records/directory/ok.ts', "import { x } from 'node:fs';"],
  ['records/open-records.ts', "import { x } from './directory/ledger-files';"],
  ['activities/records.ts', "import { x } from '../records/ledger';"],
  ['activities/adapters/durable.ts', "import { x } from '../../records/directory/durable-file';"],
  ['activities/adapters/room/records.ts', "import { x } from '../../../records/step-logs';"],
  ['client/records.ts', "import { x } from '../records/journal/journal-pages';"],
  ['activities/ok.ts', "import { x } from './ports';"],
  ['activities/adapters/ok.ts', "import { x } from '../ports';"],
  ['activities/adapters/plan.ts', "import { x } from '../../plan/json';"],
  ['activities/adapters/room/schema.ts', "import { x } from '../../json-schema';"],
  ['worker/ok.ts', "import { x } from '../activities/adapters/process';"],
  ['client/ok.ts', "import { x } from '../compiler/index';"],
  ['cli/ok.ts', "import { x } from '../worker/worker';"],
  ['channels/ok/send.ts', "import { x } from '../../activities/channel-port';"],
  ['channels/ok/message.ts', "import { x } from '../../activities/adapters/notify/buttons';"],
  ['channels/ok/callback.ts', "import { x } from '../../client/callbacks/signatures';"],
  ['channels/ok/interaction.ts', "import { x } from '../../plan/text/json';"],
  ['channels/ok/interaction.ts', "import { x } from '../../records/outside-json';"],
  ['worker/senders.ts', "import { x } from '../channels/senders';"],
  ['cli/callbacks.ts', "import { x } from '../channels/callbacks';"],
];

describe('the layer table', () => {
  let folder: string;
  let flagged: Set<string>;

  beforeAll(() => {
    folder = scratchFolder();
    const config = JSON.parse(readFileSync(join(__dirname, '../../biome.json'), 'utf8')) as Record<string, unknown>;
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false }, $schema: undefined }));
    writeFiles(Object.fromEntries([...FORBIDDEN, ...ALLOWED].map(([file, source]) => [file, `${source}\n`])), folder);
    flagged = lint(folder);
  });

  it.each(FORBIDDEN)('%s may not: %s', (file) => {
    expect([...flagged]).toContain(file);
  });

  it.each(ALLOWED)('%s may: %s', (file) => {
    expect([...flagged]).not.toContain(file);
  });
});

/** The files, relative to the folder, in which the linter finds a restricted import. */
function lint(folder: string): Set<string> {
  const biome = join(__dirname, '../../node_modules/.bin/biome');
  const args = ['lint', '--only=style/noRestrictedImports', '--reporter=json', '--max-diagnostics=none', '.'];
  let report: string;
  try {
    report = execFileSync(biome, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    report = (error as { stdout: string }).stdout;
  }
  const { diagnostics } = JSON.parse(report) as { diagnostics: { location: { path: string | { file: string } } }[] };
  return new Set(diagnostics.map(({ location }) => (typeof location.path === 'string' ? location.path : location.path.file)));
}
