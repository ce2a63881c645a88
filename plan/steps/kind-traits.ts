import type { KindView } from './kind-view';

/** The facts about a kind of step, as data: code outside its own folder asks only for these. */
export interface KindTraits {
  /**
   * Its work is the steps within it: `branches` are steps of their own, numbered in addresses (`cases[1]/bear`); a `block` has an order. A
   * container holds no slot, and only its own `retry` tries it again.
   */
  container?: 'branches' | 'block';
  /** It joins the output of its branches, and may do so with some of them missing (`.missing`). */
  joins?: true;
  /**
   * Its block runs many times, each time numbered in addresses: once for each of its `items`, from 0 (`build[3]/test`), or in `rounds`, one
   * after the other, from 1.
   */
  iterates?: 'items' | 'rounds';
  /** The label of the edge from the end of its block to its beginning, in a picture. */
  again?: string;
  /** The kind of its blocks, in the compiler's words: how their steps are ordered and what others can read of them. */
  blocks?: 'branches' | 'cases' | 'group' | 'loop' | 'rounds';
  /** An agent does its work. */
  agents?: true;
  /** Its agent judges the output of another step (`of`). */
  judges?: true;
  /** The step is a gate, and asks a person for this. */
  gate?: 'approval' | 'input';
  /** It may ask a person, whatever its keys say: a gate of its own, an escalation, a stage that asks, the gates of a child. */
  opensGate?: true;
  /** It asks in the middle of its work, and continues with the answer. */
  asksWithin?: true;
  /** Its work is to wait: for a moment, or for a signal. */
  waits?: true;
  /** Its work may be done in one activity with that of its neighbours in a sequence, if nothing is decided between them. */
  chains?: true;
  /** What the ledger has under its address once its work is done: its output, or only the fact. */
  ledger?: 'output' | 'effect';
  /** Its output is what a program printed: it has a `.stdout`. */
  prints?: true;
  /** Its programs, or those of its inner steps, get the caller's environment and with it all args (Lobster). */
  environment?: true;
  /** Another plan runs within it, as a run of its own. */
  child?: true;
  /** Its spending of a budget is known before it starts only as a share: it reserves one. */
  reserves?: true;
  /** It has no output of its own. */
  silent?: true;
  /** Which of the state of its round (`kept`) survives: for the next try, after the round, in the next round, and in a rerun. */
  keeps?: { try?: true; round?: true; next?: true; run?: true };
  /**
   * For a kind with parts: a rerun from within it begins from its kept state. That depends on its part `<id>_<this>`: if that one runs
   * again, nothing is kept.
   */
  restsOn?: string;
  /** For a kind with parts: a rerun of it, and from within it, begins from its kept state, at the turn that it names. */
  resumes?: true;
  /** Its `matter` is a plan of tasks, which it delivers. */
  delivers?: true;
  /** Its `matter` is a proposal, and its output contains the last revision of it. */
  votes?: true;
  /** For a kind with parts: they work in one folder, if none is named. */
  sharesFolder?: true;
  /** Members claim tasks from its board. */
  board?: true;
  /** A planner divides its work among roles. */
  roleTeam?: true;
  /** Its outcome goes into the prompts of later agents: the conditions of a vote, and that advice is unverified. */
  binds?: true;
  /**
   * Another step may call it with its id, and it then runs nowhere else: as the `target` of an action `escalate`, or by an action of its
   * own, which has the name of the kind.
   */
  callable?: 'target' | CallingAction;
  /** A run has one of its kind at a time: a second one waits. */
  oneAtATime?: true;
  /** A collaboration pattern: people see it as it was written, and its parts on demand. */
  pattern?: true;
  /** It is the last of a run’s steps, and runs even if a person refused an earlier one. */
  last?: true;
  /** What tries it again: `retry` and respawns after time-outs and bad replies; or `retry` alone. */
  retries: 'respawn' | 'policy';
  /** What people see of what it keeps. */
  view?: KindView;
}

/** An action that calls a step of a kind, such as `swarm(mob)`, for the reference and the JSON Schema. */
export interface CallingAction {
  /** The ways to write it. */
  written: readonly string[];
  meaning: string;
}
