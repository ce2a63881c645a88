import { defined, unlessEmpty } from '../../../plan/defined';
import { type AnswerSchema, SAID_LIST } from '../../../plan/patterns/answer-schema';
import { CHOICE_WORD } from '../../../plan/people/gate';
import { type Proposal, type ProposalOption, VOTE_CHOICES } from '../../../plan/people/vote';
import { ThermidorFailure } from '../../../plan/run/failure';
import { field, isJsonObject, type Json } from '../../../plan/text/json';
import { beginning } from '../../../plan/text/shortened';

/** Makes the proposal from what the author wrote, or from the proposer's output (docs/patterns.md, CP-4). */
export interface ProposeGiven {
  id: string;
  /** The title if it has none: a text is its own. */
  title: string;
  deadline: string;
  /** Name of the document that it is made from. */
  from: string;
  asked_for?: string;
}

/** The fields of a proposal that control reads. */
export type ProposeValues = { title: string; options: string[] };

/** More would not fit into a person's choice. */
export const MOST_OPTIONS = 20;
const MOST_TITLE = 200;

/** The answer of an agent that revises a proposal. */
export const PROPOSAL_SCHEMA = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', pattern: '\\S', maxLength: MOST_TITLE },
    context: {},
    options: {
      type: 'array',
      maxItems: MOST_OPTIONS,
      items: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', pattern: CHOICE_WORD.source },
          description: { type: 'string' },
          pros: SAID_LIST,
          cons: SAID_LIST,
        },
      },
    },
  },
} as const satisfies AnswerSchema;

/** Fails with `consensus.proposal` if its options are not distinct choices. */
export function propose({ id, title, deadline, from, asked_for }: ProposeGiven, documents: Readonly<Record<string, Json>>): Proposal {
  const matter = documents[from] ?? null;
  const written = field(matter, 'title');
  const options = optionsIn(field(matter, 'options'));
  return {
    id,
    title: typeof written === 'string' && written.trim() !== '' ? written : (firstLine(matter) ?? title),
    ...contextOf(matter),
    ...defined({ options: unlessEmpty(options), asked_for }),
    deadline,
  };
}

export function valuesOfProposal({ title, options = [] }: Proposal): ProposeValues {
  return { title: beginning(title, MOST_TITLE), options: options.map(({ id }) => id) };
}

/** The whole text, or the whole of a document without `title`, `context` and `options`, because voters have to see it. */
export function contextOf(matter: Json): Pick<Proposal, 'context'> {
  if (!isJsonObject(matter)) return matter === null ? {} : { context: matter };
  const { title: _title, options: _options, context, id: _id, deadline: _deadline, ...rest } = matter;
  if (Object.keys(rest).length === 0) return defined({ context });
  return { context: context === undefined ? rest : { context, ...rest } };
}

function firstLine(matter: Json): string | undefined {
  if (typeof matter !== 'string') return undefined;
  const line = matter.trim().split('\n')[0]?.trim();
  return line ? beginning(line, MOST_TITLE) : undefined;
}

function optionsIn(written: Json | undefined): ProposalOption[] {
  if (written === undefined || written === null) return [];
  if (!Array.isArray(written)) throw unusable('"options" is not a list');
  const options = written.map(optionOf);
  if (options.length > MOST_OPTIONS) throw unusable(`it has ${options.length} options; at most ${MOST_OPTIONS} can be chosen among`);
  const twice = options.find(({ id }, i) => options.findIndex((other) => other.id === id) !== i);
  if (twice) throw unusable(`two of its options are called "${twice.id}"`);
  return options;
}

function optionOf(written: Json): ProposalOption {
  const id = typeof written === 'string' ? written : field(written, 'id');
  if (typeof id !== 'string') throw unusable('an option has no "id"');
  const problem = whyNoOption(id);
  if (problem !== undefined) throw unusable(problem);
  const [description, pros, cons] = ['description', 'pros', 'cons'].map((key) => field(written, key));
  return {
    id,
    ...defined({ description: typeof description === 'string' ? description : undefined, pros: textsOf(pros), cons: textsOf(cons) }),
  };
}

/** Why an option cannot have an id: people answer with it. */
export function whyNoOption(id: string): string | undefined {
  if (!CHOICE_WORD.test(id)) return `the option "${id}" is not a word such as A or keep-it`;
  return VOTE_CHOICES.some((word) => word === id) ? `"${id}" is a vote, so it cannot be an option` : undefined;
}

function textsOf(value: Json | undefined): string[] | undefined {
  const list = Array.isArray(value) ? value : [value ?? null];
  const texts = list.filter((text) => typeof text === 'string');
  return texts.length > 0 ? texts : undefined;
}

function unusable(problem: string): ThermidorFailure {
  return new ThermidorFailure('consensus.proposal', `the proposal cannot be voted on: ${problem}`);
}
