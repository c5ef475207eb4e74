/**
 * How an expired enterprise licence is told (appliance-api.md §5.3), which is not documented. The fault of kind
 * 'licence' tells it of any operation, the switch `licence` of those of the directory API.
 */
export const licenceExpired = 'The enterprise licence has expired: this operation needs a valid licence';
