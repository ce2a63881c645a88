import type { ThermidorFailure } from '../../plan/run/failure';
import type { Session } from '../session/session';
import { isFolderGone, quickStateFolderProblem, stateFolderProblem } from '../session/state-folder-problem';

const EVERY_MS = 2_000;

/** Checks the disk that an embedded server, its worker and their follower all live on: every other problem follows from it. */
export class StoreWatch {
  /** What is wrong with the disk now. */
  trouble: ThermidorFailure | undefined;
  private readonly timer: NodeJS.Timeout;
  private stopped = false;

  /** `lost`: called if the folder is gone, and nothing can continue. */
  constructor(
    private readonly session: Session,
    private readonly say: (message: string) => void,
    private readonly lost: () => void,
  ) {
    // A look that fails says nothing: the next one comes soon.
    this.timer = setInterval(() => void this.look(quickStateFolderProblem).catch(() => undefined), EVERY_MS);
    this.timer.unref();
  }

  get isLost(): boolean {
    return this.trouble !== undefined && isFolderGone(this.trouble);
  }

  /** Looks again; reports each problem once. */
  async look(how: typeof stateFolderProblem = stateFolderProblem): Promise<ThermidorFailure | undefined> {
    const before = this.trouble?.message;
    const trouble = await how(this.session);
    if (this.stopped) return trouble;
    this.trouble = trouble;
    if (this.isLost) this.lost();
    else if (trouble !== undefined && trouble.message !== before) this.say(trouble.message);
    return trouble;
  }

  stop(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }
}
