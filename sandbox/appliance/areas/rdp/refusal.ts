/** Why an order is not carried out: answered as Status false with this Error (appliance-api.md §7.2). */
export class Refusal extends Error {}
