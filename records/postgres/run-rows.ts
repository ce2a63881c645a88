import type { Json } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import type { RunKey } from '../ledger';
import type { ListedRun, RunIndex } from '../run-index';
import type { Database } from './database';

/** The runs that have rows. */
export class RunRows implements RunIndex {
  constructor(private readonly database: Database) {}

  async list(beginning = ''): Promise<ListedRun[]> {
    const runs = await this.database.query<RunRow>(LIST, [beginning, `${beginning}\u{10ffff}`]);
    return runs.map(({ workflow_id: workflowId, run }) => ({ workflowId, run, place: '' }));
  }

  async runsOf(workflowId: string): Promise<RunKey[]> {
    return (await this.database.query<RunRow>(RUNS_OF, [workflowId])).map(({ run }) => ({ workflowId, run }));
  }

  async *logs({ workflowId, run }: ListedRun | RunKey, endings: readonly string[], sinceMs = 0): AsyncGenerator<Json[]> {
    if (workflowId === undefined) return;
    const logs = await this.database.query<{ id: Buffer }>(LOGS, [workflowId, run, endings, sinceMs]);
    for (const { id } of logs) {
      const lines = await this.database.query<{ line: string }>(LINES, [id]);
      yield lines.map(({ line }) => parseJson(line));
    }
  }

  async extent({ workflowId, run }: ListedRun | RunKey, endings: readonly string[]): Promise<number> {
    if (workflowId === undefined) return 0;
    const [found] = await this.database.query<{ lines: string }>(EXTENT, [workflowId, run, endings]);
    return Number(found?.lines ?? 0);
  }
}

interface RunRow {
  workflow_id: string;
  run: string;
}

const LIST = 'select workflow_id, run from thermidor.run where workflow_id >= $1 and workflow_id < $2 and removed_at is null';
const RUNS_OF = 'select workflow_id, run from thermidor.run where workflow_id = $1 and removed_at is null';
const LOGS = `
select id from thermidor.log
where workflow_id = $1 and run = $2 and added_at >= to_timestamp($4::float8 / 1000)
  and exists (select from unnest($3::text[]) as ending where right(name, length(ending)) = ending)
order by name`;
const EXTENT = `
select coalesce(sum(length), 0) as lines from thermidor.log
where workflow_id = $1 and run = $2
  and exists (select from unnest($3::text[]) as ending where right(name, length(ending)) = ending)`;
const LINES = 'select line from thermidor.line where log = $1 order by number';
