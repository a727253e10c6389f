# Arena in a container, as an ordinary user. The walls stand under Docker's usual seccomp profile, so no
# option is needed (tests/docker_profile.py). In a clone; then in the folder that holds your leagues:
#   docker build --tag botarena .
#   docker run --rm --user "$(id -u):$(id -g)" --volume "$PWD:/league" botarena init cup
FROM python:3.12-slim
COPY .github/requirements.txt /src/
RUN pip install --no-cache-dir --no-deps --requirement /src/requirements.txt
COPY pyproject.toml setup.py README.md LICENSE /src/
COPY arena /src/arena
COPY games /src/games
COPY bots /src/bots
RUN pip install --no-cache-dir --no-deps --no-build-isolation /src && rm -r /src
RUN useradd --create-home arena && install --directory --owner=arena /league
USER arena
WORKDIR /league
ENTRYPOINT ["arena"]
