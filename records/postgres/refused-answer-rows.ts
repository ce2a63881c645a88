import { randomUUID } from 'node:crypto';
import { RefusedAnswerQueue } from '../refused-answer-queue';
import type { RefusedAnswers } from '../refused-answers';
import type { Database } from './database';

/** About as many as a directory keeps. */
const MOST_KEPT = 5_000;

/** The last refused answers, a row each: `select answer from refused_answer order by number`. */
export function refusedAnswerRows(database: Database, warn: (message: string) => void): RefusedAnswers {
  const write = async (lines: readonly string[]): Promise<void> =>
    void (await database.query(ADD, [lines.map(() => randomUUID()), lines, MOST_KEPT]));
  return new RefusedAnswerQueue({ write, place: 'the table refused_answer' }, warn);
}

const ADD = `
with added as (
  insert into thermidor.refused_answer (id, answer)
  select id, answer from unnest($1::uuid[], $2::text[]) with ordinality as given (id, answer, place) order by place
  on conflict do nothing
  returning number
)
delete from thermidor.refused_answer where number <= (select max(number) from added) - $3::int`;
