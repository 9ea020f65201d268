#include "giving/giving.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "giving/bodies.hpp"

namespace latcover {

namespace {

constexpr double longest = 0.06;  // how far a point goes in a step
constexpr double shortest = longest / 32;
constexpr double seen = 0.12;           // contacts nearer than that are watched
constexpr double enough = 0.9;          // of the room that is striven for
constexpr int rounds = 6, sweeps = 24;  // how often contacts are found, and pushed
constexpr double within = 0.25;         // of the least room: what suffices on the way between two places
constexpr int most_landing = 200;       // steps from where the guide ends
constexpr double least_share = 1e-3;    // of the way to the end, in a step
constexpr std::size_t first_back = 8, most_back = 4000;  // steps that are taken back where it is stuck
constexpr int shakes = 4;

class Giver {
public:
    explicit Giver(const GivingQuestion& question)
        : question_(question), bodies_(question.bodies), random_(question.seed), n_(bodies_.size()) {
        for (std::size_t k = 1; k < question.guide.size(); ++k)
            marks_.push_back(marks_.back() + way(question.guide[k - 1], question.guide[k]));
    }

    GivingAnswer run() {
        path_.push_back({question_.guide.front(), 0});
        go(question_.guide.front(), 0);  // away from what it touches
        std::size_t back = first_back;
        GivingAnswer answer;
        while (!(follow() && land()) && !over()) {
            path_.resize(path_.size() - std::min(path_.size() - 1, back));
            back = std::min(2 * back, most_back);
            shake();
        }
        if (!over())
            for (Stop& stop : path_) answer.path.push_back(std::move(stop.places));
        answer.work = bodies_.work();
        return answer;
    }

private:
    struct Stop {
        Places places;
        double mark;  // how far along the guide
    };
    struct Push {
        double weight, pushed;
        std::array<double, 2> lever, tilt;  // of the one and the other
    };

    bool over() const { return bodies_.work() >= question_.most_work; }

    double way(const Places& from, const Places& to) const {
        double far = 0;
        for (int i = 0; i < n_; ++i)
            far = std::max(far, std::abs(to[i].angle - from[i].angle) * bodies_.arm(i) +
                                    std::hypot(to[i].u - from[i].u, to[i].v - from[i].v));
        return far;
    }

    Places guided(double mark) const {
        const auto after = std::upper_bound(marks_.begin(), marks_.end(), mark);
        if (after == marks_.end()) return question_.guide.back();
        const std::size_t k = after - marks_.begin();
        return between(question_.guide[k - 1], question_.guide[k],
                       (mark - marks_[k - 1]) / (marks_[k] - marks_[k - 1]));
    }

    // Along the guide from where the path is. False: stuck.
    bool follow() {
        double step = longest;
        while (path_.back().mark < marks_.back() && !over()) {
            const double mark = std::min(path_.back().mark + step, marks_.back());
            const Places to = guided(mark);
            Places wish = path_.back().places;
            for (int i = 0; i < n_; ++i) {
                const double share = question_.held[i] ? 1 : question_.pull;
                const auto nearer = [&](double from, double goal) {
                    return from + share * std::clamp(goal - from, -longest, longest);
                };
                wish[i] = {question_.turning[i] ? to[i].angle : nearer(wish[i].angle, to[i].angle),
                           nearer(wish[i].u, to[i].u), nearer(wish[i].v, to[i].v)};
            }
            if (go(std::move(wish), mark)) step = std::min(longest, 1.5 * step);
            else if ((step /= 2) < shortest) return false;
        }
        return !over();
    }

    // From where the guide ends to the end.
    bool land() {
        const Places& end = question_.guide.back();
        double share = 1;
        for (int k = 0; k < most_landing && !over(); ++k) {
            const Places& here = path_.back().places;
            if (bodies_.moves(here, end, question_.least_room)) {
                path_.push_back({end, marks_.back()});
                return true;
            }
            Places wish = between(here, end, share * std::min(1.0, longest / way(here, end)));
            if (go(std::move(wish), marks_.back())) share = std::min(1.0, 1.5 * share);
            else if ((share /= 2) < least_share) return false;
        }
        return false;
    }

    void shake() {
        std::normal_distribution<double> normal(0, longest);
        for (int k = 0; k < shakes; ++k) {
            Places wish = path_.back().places;
            for (int i = 0; i < n_; ++i) {
                if (question_.held[i]) continue;
                if (!question_.turning[i]) wish[i].angle += normal(random_) / bodies_.gyration(i);
                wish[i].u += normal(random_);
                wish[i].v += normal(random_);
            }
            go(std::move(wish), path_.back().mark);
        }
    }

    // To where a wish leads once the pieces have pushed each other apart. False if they cannot, or not straight from here.
    bool go(Places wish, double mark) {
        for (int round = 0; round < rounds; ++round)
            if (!push(wish)) break;
        if (bodies_.room(wish, question_.room) < question_.least_room) return false;
        if (!bodies_.moves(path_.back().places, wish, within * question_.least_room)) return false;
        path_.push_back({std::move(wish), mark});
        return true;
    }

    // Pushes pieces apart once, each contact as if it were a plane. False if all have room.
    bool push(Places& places) {
        const auto contacts = bodies_.contacts(places, question_.room + seen);
        if (std::none_of(contacts.begin(), contacts.end(),
                         [&](const Contact& contact) { return contact.room < enough * question_.room; }))
            return false;
        pushes_.assign(contacts.size(), {});
        moved_.assign(n_, {0, 0, 0});
        middles_.clear();
        for (int i = 0; i < n_; ++i) middles_.push_back(bodies_.middle(i, places[i]));
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            Push& push = pushes_[k];
            for (const int piece : {contacts[k].one, contacts[k].other}) {
                const int which = piece == contacts[k].other;
                const double lever = (contacts[k].corner - middles_[piece]).cross(contacts[k].normal);
                const double heavy = bodies_.gyration(piece) * bodies_.gyration(piece);
                push.lever[which] = lever;
                push.tilt[which] = question_.turning[piece] || question_.held[piece] ? 0 : lever / heavy;
                push.weight += !question_.held[piece] + lever * push.tilt[which];
            }
        }
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (std::size_t k = 0; k < contacts.size(); ++k) push_once(contacts[k], pushes_[k]);
        for (int i = 0; i < n_; ++i) {
            places[i].angle += moved_[i].angle;
            const Point there = middles_[i] + Point{moved_[i].u, moved_[i].v} - bodies_.middle(i, places[i]);
            places[i].u += there.x;
            places[i].v += there.y;
        }
        return true;
    }

    void push_once(const Contact& contact, Push& push) {
        TurnPose &one = moved_[contact.one], &other = moved_[contact.other];
        const Point n = contact.normal;
        const double room = contact.room + n.x * (other.u - one.u) + n.y * (other.v - one.v) +
                            push.lever[1] * other.angle - push.lever[0] * one.angle;
        const double more =
            std::max((question_.room - room - question_.softness * push.pushed) / (push.weight + question_.softness),
                     -push.pushed);
        if (more == 0) return;
        push.pushed += more;
        const auto move = [&](int piece, TurnPose& by, double far, double tilt) {
            if (question_.held[piece]) return;
            by = {by.angle + far * tilt, by.u + far * n.x, by.v + far * n.y};
        };
        move(contact.one, one, -more, push.tilt[0]);
        move(contact.other, other, more, push.tilt[1]);
    }

    const GivingQuestion& question_;
    Bodies bodies_;
    std::mt19937_64 random_;
    int n_;
    std::vector<double> marks_{0};  // how far along the guide its places are
    std::vector<Stop> path_;
    std::vector<Push> pushes_;
    Places moved_;
    Ring middles_;
};

}  // namespace

GivingAnswer give_way(const GivingQuestion& question) { return Giver(question).run(); }

}  // namespace latcover
