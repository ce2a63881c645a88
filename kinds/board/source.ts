import type { Syntax } from '../../compiler/expression/syntax';
import type { WorkOf } from '../../compiler/shape/source';

export type BoardSource = WorkOf<'board'>;
/** One of the tasks that a file lists. */
export type TaskSource = Exclude<NonNullable<BoardSource['tasks']>, Syntax>[number];
