const hostPage = /^\/(?:health|metrics|console|inspect|machines)(?:[/?]|$)/;

/** Whether a URL is that of a page or probe by which a host is watched; `/health-records` belongs to the service. */
export const isHostPage = (url: string): boolean => hostPage.test(url);
