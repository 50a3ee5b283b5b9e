"""LTI 1.3 Advantage: a class in a learning management system. The system is the *platform*, Lectern is the *tool*.

Who speaks to whom:

1. A platform sends a browser to us to sign in (`logins`); we send it back with a state and a nonce, kept here; the
   platform sends it once more with a signed token (`launches`), which says who they are, and from which of its courses
   (a *context*) they come. The page that answers it may lie in the platform's frame, where our cookie cannot be set: it
   holds a key that is good once, and a button that opens a window of ours (`accounts`).
2. An instructor connects a context to one of their classes (`contexts`). From then on its people come in, with the
   roles that the platform gives them, and not before: a platform's word alone opens nothing here.
3. We ask the platform, with tokens that we sign (`keys`, `wire`): who is in the course (`members`), and to write
   down scores (`scores`). An instructor puts our assignments into its pages (`deep_links`).

attack: anyone who runs a platform, or has its key, says what they like about anybody. defence: what a platform says is
about its own people alone. It never makes anybody staff of this site, and signs in nobody whose account it did not
make, unless they joined the two themselves, signed in here.
"""
