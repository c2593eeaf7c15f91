/* Stands in for the header that tcc's configure makes. */
#define CONFIG_TCCDIR "."
#define TCC_VERSION "0.9.27"
