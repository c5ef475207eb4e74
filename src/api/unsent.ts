import { ApplianceError, type Circumstances } from './failure.ts';

/** What keeps a call from being sent at all: of these nothing has left for the appliance. */

/** The appliance's release does not have the operation, so nothing was sent. */
export class NotAvailable extends ApplianceError {
  readonly code = 'not_available';
  /** The release that the appliance has, such as "4.50 SP4". */
  readonly release: string;
  /** The releases that have the operation, word for word (§9). */
  readonly availableFrom: string;
  declare readonly sent: 'no';

  constructor(release: string, availableFrom: string, circumstances: Omit<Circumstances, 'sent'>) {
    super(`release ${release} does not support this; it is available in ${availableFrom}`, {
      ...circumstances,
      sent: 'no',
    });
    this.release = release;
    this.availableFrom = availableFrom;
  }
}

/** Something the call needs is not configured for this appliance, such as the address of its mirror service. Without a `url` it is not configured at all. */
export class NotConfigured extends ApplianceError {
  readonly code = 'not_configured';
  readonly setting: 'url' | 'mirrorUrl' | 'shellPassword';
  declare readonly sent: 'no';

  constructor(setting: NotConfigured['setting'], circumstances: Omit<Circumstances, 'sent'>) {
    super(`${setting} is not configured for this appliance`, { ...circumstances, sent: 'no' });
    this.setting = setting;
  }
}

/** An argument that cannot be sent. `argument` is its name. */
export class BadArgument extends ApplianceError {
  readonly code = 'bad_argument';
  readonly argument: string;
  readonly problem: string;
  declare readonly sent: 'no';

  constructor(argument: string, problem: string, circumstances: Omit<Circumstances, 'sent'>) {
    super(`the argument ${argument} ${problem}`, { ...circumstances, sent: 'no' });
    this.argument = argument;
    this.problem = problem;
  }
}

/** It did not leave, because somebody else may have taken over what it is part of (`fence.ts`). */
export class Withheld extends ApplianceError {
  readonly code = 'withheld';
  declare readonly sent: 'no';

  constructor(circumstances: Omit<Circumstances, 'sent'>) {
    super('not sent: another replica may have taken over', { ...circumstances, sent: 'no' });
  }
}
