// Whoever was deleted leaves nothing in this browser either. Only the page that says so loads this.
for (const kept of ["localStorage", "sessionStorage"]) {
  try {
    const store = window[kept];
    for (const key of Object.keys(store)) if (key.startsWith("lectern:")) store.removeItem(key);
  } catch { /* a browser that keeps nothing has nothing to forget */ }
}
