import { type Backfill, type BackfillTerms, backfill, previewBackfill } from '../../client/backfill';
import { requireOwn } from '../../client/schedules';
import { defined } from '../../plan/defined';
import { readMoment } from '../../plan/text/moment';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { timeIn } from '../rendering/text/time';
import { withSession } from '../session/with-session';
import type { Terminal } from '../terminal';
import { usHere } from '../triggers/us';

const MOST = 500;
const SHOWN = 20;

/** Starts the runs that a schedule lacks. Without `--from`, `--missed` means all since the schedule exists; `--to` is now. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const schedule = args[0] ?? '';
  const [from, to, missed] = [options.text('from'), options.text('to'), options.flag('missed')];
  if (from === undefined && !missed)
    throw usage('backfill needs --from: the first moment that is meant', 'or --missed, for those that the server has missed');
  return withSession(invocation, 'server', async (session) => {
    const { client } = session;
    const us = await usHere(session);
    const { spec } = await requireOwn(client, us, schedule);
    const zone = spec.timezone || 'UTC';
    const now = Date.now();
    const terms: BackfillTerms = {
      fromMs: from === undefined ? 0 : momentIn('--from', from, zone),
      toMs: to === undefined ? now : momentIn('--to', endOf(to), zone),
      most: options.number('limit', 1) ?? MOST,
      ...defined({ missed: missed || undefined }),
    };
    if (terms.fromMs > now) throw usage('--from is in the future: the schedule itself starts those runs');
    if (terms.fromMs > terms.toMs) throw usage('--from is later than --to');
    const dryRun = options.flag('dryRun');
    const found = await (dryRun ? previewBackfill : backfill)(client, us, schedule, terms);
    if (options.flag('json')) terminal.out(`${JSON.stringify({ ...(dryRun ? { dryRun } : {}), ...found }, null, 2)}\n`);
    else print(found, dryRun, terminal);
    if (!dryRun && found.starts.length > 0 && session.served === 'nowhere')
      terminal.err('The runs need a worker to continue: thermidor up.\n');
    return EXIT.done;
  });
}

/** A day alone means all of it. */
function endOf(text: string): string {
  return /^\s*\d{4}-\d\d-\d\d\s*$/.test(text) ? `${text.trim()}T23:59:59` : text;
}

function momentIn(flag: string, text: string, zone: string): number {
  const at = readMoment(text, zone);
  if (at === undefined)
    throw usage(`${flag} "${text}" is no moment`, `write it as in ${flag} 2026-11-23 or 2026-11-23T07:30; the time zone is ${zone}`);
  return at;
}

function print({ schedule, timezone, starts, waiting, had, inTurn }: Backfill, dryRun: boolean, { out, colors }: Terminal): void {
  const how = starts.length > 1 ? (inTurn ? ', one after another' : ', at once') : '';
  const runs = `${starts.length} ${starts.length === 1 ? 'run' : 'runs'}`;
  const what = starts.length === 0 ? 'nothing to start' : dryRun ? `would start ${runs}${how}` : `starts ${runs}${how}`;
  const facts = [had > 0 ? `${had} had one before` : '', waiting.length > 0 ? `${waiting.length} wait from an earlier backfill` : ''];
  out(`${schedule}  ${what}${facts.flatMap((fact) => (fact === '' ? [] : colors.dim(`; ${fact}`))).join('')}\n`);
  for (const at of starts.slice(0, SHOWN)) out(`  ${timeIn(at, timezone)} ${colors.dim(timezone)}\n`);
  if (starts.length > SHOWN) out(`  and ${starts.length - SHOWN} more, up to ${timeIn(starts.at(-1) ?? '', timezone)}\n`);
}
