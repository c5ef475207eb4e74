import { moment, type Shape } from '../reading/shape.ts';

/** A moment that may not have come yet: undefined for the year 1 and for 1970, which is how servers write "never". */
export const momentOrNever: Shape<Date | undefined> = {
  ...moment,
  read(value) {
    const at = moment.read(value);
    return at.getTime() > 0 ? at : undefined;
  },
};
