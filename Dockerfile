# latcover in a container: the web app for a class room, or a worker of a cluster.
#
#   docker build -t latcover .
#   docker run --rm -p 8000:8000 latcover                  the web app at http://localhost:8000
#   docker run --rm latcover count soma                    any command
#   docker run --rm --entrypoint dask latcover worker ADDRESS:8786      a worker of a cluster

FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN python -m venv /opt/latcover && /opt/latcover/bin/pip install --no-cache-dir "/source[web,cluster]"

FROM python:3.12-slim
COPY --from=build /opt/latcover /opt/latcover
RUN useradd --create-home --uid 1000 latcover
USER latcover
WORKDIR /home/latcover
ENV PATH=/opt/latcover/bin:$PATH
EXPOSE 8000
ENTRYPOINT ["latcover"]
CMD ["serve", "--host", "0.0.0.0"]
