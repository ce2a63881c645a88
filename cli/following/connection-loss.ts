import type { ClientProblem } from '../../client/client-problem';
import type { ThermidorFailure } from '../../plan/run/failure';
import type { Session } from '../session/session';

/** How long a run may stay unanswered. */
const PATIENCE_MS = 30_000;
/** The patience of a process that works on runs: its worker may be the only one, and its session brings the server back. */
const SERVING_PATIENCE_MS = 10 * 60_000;

/**
 * A follower's view of its run, which it may lose for a while: one failed question ends nothing. Each problem is reported once, and the
 * question is repeated until the patience is over.
 */
export class ConnectionLoss {
  private lostSince: number | undefined;
  private lastReported = '';
  private serves = false;

  constructor(
    private readonly session: Pick<Session, 'served'>,
    private readonly say: (message: string) => void,
  ) {
    this.look();
  }

  /**
   * Records that nobody answered. Throws the problem, or its known cause, once that has lasted too long; a cause has been reported already.
   */
  lost(problem: ClientProblem, cause?: ThermidorFailure): void {
    this.look();
    this.lostSince ??= Date.now();
    if (Date.now() - this.lostSince > (this.serves ? SERVING_PATIENCE_MS : PATIENCE_MS)) throw cause ?? problem;
    if (cause === undefined && problem.code !== this.lastReported) this.say(`${problem.message}; asking again`);
    this.lastReported = problem.code;
  }

  found(): void {
    this.lostSince = undefined;
    this.lastReported = '';
  }

  /** A worker that is being brought back does not count for the moment. */
  private look(): void {
    this.serves ||= this.session.served === 'here';
  }
}
